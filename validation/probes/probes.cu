/*
 * Probes: one kernel per mechanism, launched once per value of what is swept. `probes SET` runs one set (edge, merge,
 * hold, words, together, code, atomics, launch, stream, flight, scatter) and prints a line per launch: set, series, value. nvcc and `sluice cc` compile the same file.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

/* ---- edge: what stays in L1 --------------------------------------------------------------------------------------- */

/* `lines` lines one after the other, `rounds` times, by one warp; `words` of each line are read (8: one sector). */
__global__ void ring(const float *a, float *o, int lines, int words, int rounds)
{
	float t = 0;
	for (int r = 0; r < rounds; r++)
		for (int i = 0; i < lines; i++)
			t += a[i * 32 + (threadIdx.x & (words - 1))];
	o[threadIdx.x] = t;
}

/* Lines in an order without pattern. */
__global__ void scattered(const float *a, const int *order, float *o, int lines, int rounds)
{
	float t = 0;
	for (int r = 0; r < rounds; r++)
		for (int i = 0; i < lines; i++)
			t += a[(long)order[i] * 32 + threadIdx.x];
	o[threadIdx.x] = t;
}

/* A live set that is read every round, and `dead` new lines each round that are never read again. */
__global__ void scan(const float *a, float *o, int live, int dead, int rounds)
{
	float t = 0;
	const float *next = a + live * 32;
	for (int r = 0; r < rounds; r++) {
		for (int i = 0; i < live; i++)
			t += a[i * 32 + threadIdx.x];
		for (int i = 0; i < dead; i++, next += 32)
			t += next[threadIdx.x];
	}
	o[threadIdx.x] = t;
}

/* Every thread walks its own row of two matrices. */
__global__ void rows(const float *a, const float *b, float *o, int pitch, int steps)
{
	long row = (long)(blockIdx.x * blockDim.x + threadIdx.x) * pitch;
	float t = 0;
	for (int j = 0; j < steps; j++)
		t += a[row + j] * b[row + j];
	o[blockIdx.x * blockDim.x + threadIdx.x] = t;
}

/* The same, with two sums that are stored at every step. */
__global__ void rows_store(const float *a, const float *b, float *x, float *y, int pitch, int steps)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int j = 0; j < steps; j++) {
		x[i] += a[(long)i * pitch + j];
		y[i] += b[(long)i * pitch + j];
	}
}

/* ---- merge: stores that follow each other --------------------------------------------------------------------------- */

/* Every warp loads (in L1, as many wavefronts as lanes are `stride` words apart) and stores to one line of the CTA. */
__global__ void merge_load(const float *a, float *o, int stride, int iterations)
{
	int lane = threadIdx.x & 31;
	volatile float *mine = o + blockIdx.x * 32 + lane;
	const volatile float *from = a + lane * stride;
	float t = 0;
	for (int i = 0; i < iterations; i++) {
		t += from[i & 7];
		*mine = t;
	}
}

/* Nothing but a chain of `gap` additions between two stores. */
__global__ void merge_gap(float *o, int gap, int iterations, float add)
{
	volatile float *mine = o + blockIdx.x * 32 + (threadIdx.x & 31);
	float t = add;
	for (int i = 0; i < iterations; i++) {
		for (int k = 0; k < gap; k++)
			t = t * add + 1.0f;
		*mine = t;
	}
}

/* Warps wait for the same line of DRAM, then store. */
__global__ void merge_miss(const float *a, float *o, int iterations)
{
	int lane = threadIdx.x & 31;
	volatile float *mine = o + blockIdx.x * 32 + lane;
	const volatile float *from = a + (long)blockIdx.x * iterations * 32 + lane;
	float t = 0;
	for (int i = 0; i < iterations; i++) {
		t += from[i * 32];
		*mine = t;
	}
}

/* ---- hold: the same with loads and stores that are not volatile, hence through L1 ------------------------------------------ */

__device__ inline float load(const float *from)
{
	float value;
	asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(from) : "memory");
	return value;
}

__device__ inline void store(float *to, float value)
{
	asm volatile("st.global.f32 [%0], %1;" ::"l"(to), "f"(value) : "memory");
}

/* Loads that hit, and stores of all warps to one line of the CTA. */
__global__ void hold_load(const float *a, float *o, int stride, int iterations)
{
	int lane = threadIdx.x & 31;
	float t = 0;
	for (int i = 0; i < iterations; i++) {
		t += load(a + lane * stride + (i & 7));
		store(o + blockIdx.x * 32 + lane, t);
	}
}

/* Warps wait for the same line of DRAM, then store. */
__global__ void hold_miss(const float *a, float *o, int iterations)
{
	int lane = threadIdx.x & 31;
	float t = 0;
	for (int i = 0; i < iterations; i++) {
		t += load(a + ((long)blockIdx.x * iterations + i) * 32 + lane);
		store(o + blockIdx.x * 32 + lane, t);
	}
}

/* Rows of a matrix: eight columns hit, the ninth misses. All warps of a CTA do the same. */
__global__ void hold_rows(const float *a, const float *x, float *o, int n)
{
	int row = blockIdx.x * 32 + (threadIdx.x & 31);
	float t = 0;
	for (int i = 0; i < n; i++) {
		t += load(a + (long)row * n + i) * load(x + i);
		store(o + row, t);
	}
}

/* ---- together: all SMs read the same data in step -------------------------------------------------------------------------- */

__global__ void together(const float4 *a, float *o, int count)
{
	float t = 0;
	for (int i = threadIdx.x; i < count; i += blockDim.x) {
		float4 value = __ldg(a + i);
		t += value.x + value.y + value.z + value.w;
	}
	if (t == 1)
		*o = t;
}

/* ---- words: the words of a struct, stored one after the other ---------------------------------------------------------- */

/* A struct of WORDS words per lane, so that each store of a warp touches WORDS lines. */
template <int WORDS> __global__ void words(float *o, int rounds)
{
	int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = gridDim.x * blockDim.x / 32;
	float t = o[warp];
	for (int r = 0; r < rounds; r++) {
		volatile float *mine = o + ((long)(r * warps + warp) * 32 + (threadIdx.x & 31)) * WORDS;
#pragma unroll
		for (int w = 0; w < WORDS; w++)
			mine[w] = t;
	}
}

/* ---- code: straight lines, executed once -------------------------------------------------------------------------------- */

template <int KB> __global__ void code(float *o, float a, float b)
{
	float x[8];
	for (int i = 0; i < 8; i++)
		x[i] = a * (float)i;
#pragma unroll
	for (int k = 0; k < KB * 8; k++)
#pragma unroll
		for (int i = 0; i < 8; i++)
			x[i] = fmaf(x[i], a, b);
	o[blockIdx.x * blockDim.x + threadIdx.x] =
	    ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

/* ---- atomics ------------------------------------------------------------------------------------------------------------- */

static __device__ unsigned mix(unsigned x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

__global__ void reductions(unsigned *h, unsigned mask, int iterations)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int k = 0; k < iterations; k++)
		atomicAdd(&h[mix(i + (unsigned)k * 0x9e3779b9u) & mask], i | 1u);
}

__global__ void atomics(unsigned *h, unsigned *o, unsigned mask, int iterations)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, t = 0;
	for (int k = 0; k < iterations; k++)
		t += atomicAdd(&h[mix(i + (unsigned)k * 0x9e3779b9u) & mask], i | 1u);
	o[i] = t;
}

/* 32 lanes on `words` words of a line of the warp's own. */
__global__ void words(unsigned *h, int count, int iterations)
{
	unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
	for (int k = 0; k < iterations; k++)
		atomicAdd(&h[warp * 32 + lane % (unsigned)count], lane | 1u);
}

/* ---- launch -------------------------------------------------------------------------------------------------------------- */

__global__ void empty()
{
}

__global__ void one_parameter(float *o, int n)
{
	if (n > 1000000)
		o[threadIdx.x] = 1;
}

/* ---- stream: DRAM, by size ------------------------------------------------------------------------------------------------ */

/* 16 bytes per thread; what is read is never stored. */
__global__ void read_once(const float4 *from, float *out)
{
	float4 x = from[blockIdx.x * blockDim.x + threadIdx.x];
	if (x.x + x.y + x.z + x.w == 1.5f)
		out[threadIdx.x] = 1;
}

/* The same bytes by as many CTAs as are resident, eight loads in flight per thread. */
__global__ void read_resident(const float4 *from, float *out, int count)
{
	float t = 0;
	int step = gridDim.x * blockDim.x;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += 8 * step) {
		float4 x[8];
#pragma unroll
		for (int k = 0; k < 8; k++)
			x[k] = i + k * step < count ? from[i + k * step] : make_float4(0, 0, 0, 0);
#pragma unroll
		for (int k = 0; k < 8; k++)
			t += x[k].x + x[k].y + x[k].z + x[k].w;
	}
	if (t == 1.5f)
		out[threadIdx.x] = 1;
}

__global__ void copy(const float4 *from, float4 *to)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	to[i] = from[i];
}

__global__ void fill(float4 *to)
{
	to[blockIdx.x * blockDim.x + threadIdx.x] = make_float4(1, 2, 3, 4);
}

/* One word of every sector. */
__global__ void fill_partly(float *to)
{
	to[(blockIdx.x * blockDim.x + threadIdx.x) * 8] = 1;
}

/* ---- flight: loads of scattered sectors, so many at a time ------------------------------------------------------------------ */

/* Every lane follows its own chain over `mask` + 1 words (of zeros); `lanes` of a warp take part. */
__global__ void chains(const unsigned *from, unsigned *out, unsigned mask, int lanes, int steps)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, p = i * 0x9e3779b9u;
	if ((int)(threadIdx.x & 31) >= lanes)
		return;
	for (int k = 0; k < steps; k++)
		p = mix(p + from[p >> 3 & mask]);
	out[i] = p;
}

/* ---- scatter: stores of scattered words, sectors and lines ------------------------------------------------------------------- */

/* `lanes` of a warp store to neighbouring words (1: a word, 8: a sector, 32: a line), somewhere in `mask` + 1 words; alone,
 * or behind a load from a chain over 2 MiB, as a search through a graph does.
 */
__global__ void scatter(const unsigned *from, unsigned *to, unsigned *out, unsigned mask, unsigned lanes, bool loads, int steps)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, p = i / lanes * 0x9e3779b9u;
	for (int k = 0; k < steps; k++) {
		p = mix(p + (loads ? from[p >> 3 & 0x7ffff] : k));
		to[(p >> 3 & mask & ~(lanes - 1)) + (i & (lanes - 1))] = k;
	}
	out[i] = p;
}

/* ---- the sets ------------------------------------------------------------------------------------------------------------ */

static float *a, *b, *o;

static void edge(void)
{
	for (int lines = 1600; lines <= 2432; lines += 64) {
		ring<<<1, 32>>>(a, o, lines, 32, 5);
		printf("edge\tring\t%d\n", lines);
	}
	for (int lines = 1600; lines <= 2432; lines += 128) {
		ring<<<1, 32>>>(a, o, lines, 8, 5);
		printf("edge\tring, one sector\t%d\n", lines);
	}
	for (int lines = 96; lines <= 416; lines += 32) {
		ring<<<1, 32, 200 << 10>>>(a, o, lines, 32, 5);
		printf("edge\tring, 228 KB shared\t%d\n", lines);
	}
	int order[4096];
	unsigned long s = 12345;
	for (int i = 0; i < 4096; i++) {
		s = s * 6364136223846793005ul + 1442695040888963407ul;
		order[i] = (int)(s >> 33) % (1 << 20);
	}
	cudaMemcpy(b, order, sizeof order, cudaMemcpyHostToDevice);
	for (int lines = 512; lines <= 3072; lines += 256) {
		scattered<<<1, 32>>>(a, (const int *)b, o, lines, 5);
		printf("edge\tscattered\t%d\n", lines);
	}
	for (int live = 256; live <= 1024; live *= 2)
		for (int dead = 256; dead <= 4096; dead += dead < 2048 ? 256 : 512) {
			scan<<<1, 32>>>(a, o, live, dead, 6);
			printf("edge\tscan, %d live\t%d\n", live, dead);
		}
	int pitches[] = {513, 1024, 2048, 2080};
	for (int p = 0; p < 4; p++)
		for (int threads = 128; threads <= 1024; threads += 128) {
			rows<<<4, threads>>>(a, b, o, pitches[p], 96);
			printf("edge\trows, pitch %d B\t%d\n", pitches[p] * 4, threads);
		}
	for (int threads = 128; threads <= 1024; threads += 128) {
		rows_store<<<4, threads>>>(a, b, o, o + (1 << 20), 2048, 96);
		printf("edge\trows with stores\t%d\n", threads);
	}
}

static void merge(void)
{
	int strides[] = {1, 4, 8, 16, 32};
	for (int s = 0; s < 5; s++)
		for (int warps = 1; warps <= 32; warps *= 2) {
			merge_load<<<8, warps * 32>>>(a, o, strides[s], 256);
			printf("merge\t%d wavefronts\t%d\n", strides[s], warps);
		}
	int gaps[] = {0, 1, 2, 4, 8, 16, 32};
	for (int warps = 2; warps <= 32; warps *= 2)
		for (int g = 0; g < 7; g++) {
			merge_gap<<<8, warps * 32>>>(o, gaps[g], 256, 1.5f);
			printf("merge\tgap, %d warps\t%d\n", warps, gaps[g]);
		}
	for (int warps = 1; warps <= 32; warps *= 2) {
		merge_miss<<<8, warps * 32>>>(a, o, 256);
		printf("merge\tafter a miss\t%d\n", warps);
	}
}

static void hold(void)
{
	int strides[] = {1, 4, 8, 16, 32};
	for (int s = 0; s < 5; s++)
		for (int warps = 1; warps <= 32; warps *= 2) {
			hold_load<<<8, warps * 32>>>(a, o, strides[s], 256);
			printf("hold\t%d wavefronts\t%d\n", strides[s], warps);
		}
	for (int warps = 1; warps <= 32; warps *= 2) {
		hold_miss<<<8, warps * 32>>>(a, o, 256);
		printf("hold\tafter a miss\t%d\n", warps);
	}
	for (int warps = 1; warps <= 32; warps *= 2) {
		hold_rows<<<32, warps * 32>>>(a, a + (1 << 20), o, 1024);
		printf("hold\trows\t%d\n", warps);
	}
}

static void all_together(void)
{
	int ctas[] = {1, 2, 4, 8, 16, 32, 66, 100, 132};
	for (int i = 0; i < 9; i++) {
		together<<<ctas[i], 256>>>((const float4 *)a, o, 16384);
		printf("together\tSMs\t%d\n", ctas[i]);
	}
}

template <int WORDS> static void words_of(void)
{
	for (int warps = 1; warps <= 32; warps *= 2) {
		words<WORDS><<<132, warps * 32>>>(a, 8);
		printf("words\t%d words\t%d\n", WORDS, warps);
	}
}

template <int KB> static void code_of(void)
{
	code<KB><<<1, 32>>>(o, 1.0f, 0.5f);
	printf("code\t1 warp\t%d\n", KB);
	code<KB><<<132, 256>>>(o, 1.0f, 0.5f);
	printf("code\t132 x 8 warps\t%d\n", KB);
}

static void launch(void)
{
	int grids[] = {1, 8, 66, 132, 264, 528, 1320, 4224}, blocks[] = {32, 256, 1024};
	for (int t = 0; t < 3; t++)
		for (int g = 0; g < 8; g++) {
			empty<<<grids[g], blocks[t]>>>();
			printf("launch\tempty, %d threads\t%d\n", blocks[t], grids[g]);
		}
	for (int g = 0; g < 8; g++) {
		one_parameter<<<grids[g], 256>>>(o, 3);
		printf("launch\treads a parameter\t%d\n", grids[g]);
	}
}

static void atomic_sets(void)
{
	unsigned *h = (unsigned *)b;
	for (unsigned bins = 1; bins <= 1u << 22; bins *= 4) {
		reductions<<<528, 256>>>(h, bins - 1, 4);
		printf("atomics\tRED, random word\t%u\n", bins);
	}
	for (unsigned bins = 1; bins <= 1u << 22; bins *= 4) {
		atomics<<<528, 256>>>(h, (unsigned *)o, bins - 1, 4);
		printf("atomics\tATOM, random word\t%u\n", bins);
	}
	for (int count = 1; count <= 32; count *= 2) {
		words<<<528, 256>>>(h, count, 16);
		printf("atomics\tRED, words of the warp's line\t%d\n", count);
	}
}

static void stream(void)
{
	for (int mib = 2; mib <= 128; mib *= 2) {
		read_once<<<mib << 8, 256>>>((const float4 *)a, o);
		printf("stream\tread, 16 B per thread\t%d\n", mib);
		read_resident<<<132 * 4, 256>>>((const float4 *)a, o, mib << 16);
		printf("stream\tread, resident CTAs\t%d\n", mib);
		copy<<<mib << 8, 256>>>((const float4 *)a, (float4 *)b);
		printf("stream\tcopy\t%d\n", mib);
		fill<<<mib << 8, 256>>>((float4 *)b);
		printf("stream\twrite\t%d\n", mib);
		fill_partly<<<mib << 7, 256>>>(b);
		printf("stream\twrite a word per sector\t%d\n", mib);
	}
}

static void flight(void)
{
	unsigned words[] = {1u << 22, 1u << 26};
	const char *names[] = {"16 MB", "256 MB"};
	for (int f = 0; f < 2; f++)
		for (int lanes = 1; lanes <= 32; lanes *= 32)
			for (int warps = 1; warps <= 32; warps *= 2) {
				chains<<<132, warps * 32>>>((const unsigned *)a, (unsigned *)o, words[f] - 1, lanes, 16);
				printf("flight\t%s, %d lanes\t%d\n", names[f], lanes, warps);
			}
}

static void scatters(void)
{
	static const struct {
		const char *name;
		unsigned mask, lanes;
		bool loads;
		int ctas;
	} series[] = {{"words in 256 KiB", 0xffff, 1, false, 132},   {"words in 16 MiB", 0x3fffff, 1, false, 132},
	              {"sectors in 16 MiB", 0x3fffff, 8, false, 132}, {"lines in 16 MiB", 0x3fffff, 32, false, 132},
	              {"words in 256 KiB, one SM", 0xffff, 1, false, 1}, {"loads and words in 256 KiB", 0xffff, 1, true, 132}};
	for (auto &one : series)
		for (int warps = 1; warps <= 16; warps *= 4) {
			scatter<<<one.ctas, warps * 32>>>((const unsigned *)a, (unsigned *)b, (unsigned *)o, one.mask, one.lanes,
			                                  one.loads, 16);
			printf("scatter\t%s\t%d\n", one.name, warps);
		}
}

int main(int argc, char **argv)
{
	const char *set = argc > 1 ? argv[1] : "";
	size_t bytes = (size_t)256 << 20;
	cudaMalloc(&a, bytes);
	cudaMalloc(&b, bytes);
	cudaMalloc(&o, bytes / 8);
	cudaMemset(a, 0, bytes);
	cudaMemset(b, 0, bytes);
	cudaFuncSetAttribute(ring, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
	if (!strcmp(set, "edge")) {
		edge();
	} else if (!strcmp(set, "merge")) {
		merge();
	} else if (!strcmp(set, "hold")) {
		hold();
	} else if (!strcmp(set, "together")) {
		all_together();
	} else if (!strcmp(set, "words")) {
		words_of<2>(), words_of<3>(), words_of<4>(), words_of<6>(), words_of<8>(), words_of<16>();
	} else if (!strcmp(set, "code")) {
		code_of<1>(), code_of<2>(), code_of<4>(), code_of<8>(), code_of<16>(), code_of<24>(), code_of<32>();
		code_of<48>(), code_of<64>(), code_of<96>(), code_of<128>();
	} else if (!strcmp(set, "atomics")) {
		atomic_sets();
	} else if (!strcmp(set, "launch")) {
		launch();
	} else if (!strcmp(set, "stream")) {
		stream();
	} else if (!strcmp(set, "flight")) {
		flight();
	} else if (!strcmp(set, "scatter")) {
		scatters();
	} else {
		fprintf(stderr, "usage: probes edge|merge|hold|words|together|code|atomics|launch|stream|flight|scatter\n");
		return 2;
	}
	cudaError_t e = cudaDeviceSynchronize();
	if (e != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(e));
	return e != cudaSuccess;
}
