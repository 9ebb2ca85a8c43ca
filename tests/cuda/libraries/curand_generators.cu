/*
 * cuRAND: the generators against their published values and against stepping on the host, jumps against steps, the order
 * of the host's interface, and the moments of the distributions.
 * options: -lcurand.
 * timed: 1-20,22-33.
 * Launch 21 starts 4096 states of MRG32k3a: 51 of 67 million warp instructions, jumps like those of launches 8 and 9.
 */
#include <cmath>
#include <cstdio>
#include <vector>

#include <curand_kernel.h>

static int failures;

static void check(bool holds, const char *claim)
{
	failures += !holds;
	if (!holds)
		printf("FAIL %s\n", claim);
}

enum { COUNT = 64 };

/* ---- XORWOW ------------------------------------------------------------------------------------------------------ */

template <class State> __global__ void draw(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, unsigned int *out)
{
	State state;
	curand_init(seed, subsequence, offset, &state);
	for (int i = 0; i < COUNT; i++)
		out[i] = curand(&state);
}

template <class State> static std::vector<unsigned int> drawn(unsigned long long seed, unsigned long long subsequence, unsigned long long offset)
{
	std::vector<unsigned int> v(COUNT);
	unsigned int *out;
	cudaMalloc(&out, COUNT * sizeof *out);
	draw<State><<<1, 1>>>(seed, subsequence, offset, out);
	cudaMemcpy(v.data(), out, COUNT * sizeof *out, cudaMemcpyDeviceToHost);
	cudaFree(out);
	return v;
}

/* Marsaglia's generator from cuRAND's starting point. */
static std::vector<unsigned int> xorwow(unsigned long long seed, int skip)
{
	unsigned int t0 = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u), t1 = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
	unsigned int x = 123456789u + t0, y = 362436069u ^ t0, z = 521288629u + t1, w = 88675123u ^ t1, v = 5783321u + t0,
	             d = 6615241 + t1 + t0;
	std::vector<unsigned int> out;
	for (int i = 0; i < skip + COUNT; i++) {
		unsigned int t = x ^ (x >> 2);
		x = y, y = z, z = w, w = v;
		v = (v ^ (v << 4)) ^ (t ^ (t << 1));
		d += 362437;
		if (i >= skip)
			out.push_back(d + v);
	}
	return out;
}

/* Sixteen jumps of 2^63 are one subsequence, 2^67 further on. */
__global__ void jumps(bool *right)
{
	curandState a, b;
	curand_init(7, 0, 0, &a);
	for (int i = 0; i < 16; i++)
		skipahead(1ull << 63, &a);
	curand_init(7, 1, 0, &b);
	right[0] = curand(&a) == curand(&b) && curand(&a) == curand(&b);
	curandStateMRG32k3a_t c, d;
	curand_init(7, 5, 0, &c);
	curand_init(7, 2, 0, &d);
	skipahead_subsequence(3, &d);
	right[1] = curand(&c) == curand(&d) && curand(&c) == curand(&d);
}

static void sequences()
{
	check(drawn<curandState>(1234, 0, 0) == xorwow(1234, 0), "XORWOW is Marsaglia's");
	check(drawn<curandState>(0x123456789abcdefull, 0, 1000) == xorwow(0x123456789abcdefull, 1000), "XORWOW with an offset");
	check(drawn<curandState>(1, 1, 0) != drawn<curandState>(1, 0, 0), "subsequences differ");
	std::vector<unsigned int> whole = drawn<curandStatePhilox4_32_10_t>(99, 3, 0), late = drawn<curandStatePhilox4_32_10_t>(99, 3, 7);
	check(std::vector<unsigned int>(whole.begin() + 7, whole.end()) == std::vector<unsigned int>(late.begin(), late.end() - 7),
	      "Philox with an offset");
	whole = drawn<curandStateMRG32k3a_t>(99, 0, 0), late = drawn<curandStateMRG32k3a_t>(99, 0, 9);
	check(std::vector<unsigned int>(whole.begin() + 9, whole.end()) == std::vector<unsigned int>(late.begin(), late.end() - 9),
	      "MRG32k3a with an offset");
	bool *right;
	cudaMallocManaged(&right, 2);
	jumps<<<1, 1>>>(right);
	cudaDeviceSynchronize();
	check(right[0], "subsequences of XORWOW are 2^67 apart");
	check(right[1], "subsequences of MRG32k3a add up");
}

/* ---- published values ---------------------------------------------------------------------------------------------- */

__global__ void known(uint4 *philox, double *mrg)
{
	philox[0] = curand_Philox4x32_10(make_uint4(0, 0, 0, 0), make_uint2(0, 0));
	philox[1] = curand_Philox4x32_10(make_uint4(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344), make_uint2(0xa4093822, 0x299f31d0));
	curandStateMRG32k3a_t state;
	curand_init(0, 0, 0, &state);
	for (int i = 0; i < 3; i++)
		mrg[i] = curand_uniform_double(&state);
}

static void published()
{
	/* Random123's known answers; L'Ecuyer's first numbers from a seed of 12345s. */
	const unsigned int want[2][4] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
	const double numbers[] = {0.127011122046577, 0.318527565396798, 0.309186015583271};
	uint4 *philox;
	double *mrg;
	cudaMallocManaged(&philox, 2 * sizeof *philox);
	cudaMallocManaged(&mrg, 3 * sizeof *mrg);
	known<<<1, 1>>>(philox, mrg);
	cudaDeviceSynchronize();
	bool right = true;
	for (int i = 0; i < 2; i++)
		right = right && philox[i].x == want[i][0] && philox[i].y == want[i][1] && philox[i].z == want[i][2] && philox[i].w == want[i][3];
	check(right, "Philox computes Random123's known answers");
	right = true;
	for (int i = 0; i < 3; i++)
		right = right && std::fabs(mrg[i] - numbers[i]) < 1e-6;
	check(right, "MRG32k3a begins with L'Ecuyer's numbers");
	if (!right)
		printf("%.15f %.15f %.15f\n", mrg[0], mrg[1], mrg[2]);
}

/* ---- from the host ------------------------------------------------------------------------------------------------- */

template <class T> static bool has_moments(const T *x, size_t n, double mean, double variance, double tolerance)
{
	double sum = 0, squares = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i], squares += (double)x[i] * x[i];
	sum /= n;
	return std::fabs(sum - mean) < tolerance && std::fabs(squares / n - sum * sum - variance) < 4 * tolerance;
}

static void from_host(curandRngType_t type)
{
	const size_t n = 20000;
	float *f;
	double *d;
	unsigned int *u;
	cudaMallocManaged(&f, n * sizeof *f);
	cudaMallocManaged(&d, n * sizeof *d);
	cudaMallocManaged(&u, n * sizeof *u);
	curandGenerator_t g;
	check(curandCreateGenerator(&g, type) == CURAND_STATUS_SUCCESS, "a generator");
	check(curandSetPseudoRandomGeneratorSeed(g, 42) == CURAND_STATUS_SUCCESS, "a seed");
	curandGenerateUniform(g, f, n);
	curandGenerateNormalDouble(g, d, n, 3, 2);
	curandGeneratePoisson(g, u, n, 5);
	cudaDeviceSynchronize();
	check(has_moments(f, n, 0.5, 1 / 12.0, 0.01), "uniform");
	check(has_moments(d, n, 3, 4, 0.06), "normal");
	check(has_moments(u, n, 5, 5, 0.08), "Poisson");
	curandGenerateLogNormal(g, f, n, 0, 0.5f);
	cudaDeviceSynchronize();
	check(has_moments(f, n, std::exp(0.125), (std::exp(0.25) - 1) * std::exp(0.25), 0.05), "log-normal");
	check(curandGenerateNormal(g, f, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE, "normal numbers come in pairs");
	curandDestroyGenerator(g);
	cudaFree(f);
	cudaFree(d);
	cudaFree(u);
}

static void order()
{
	const size_t n = 3 * 4096;
	unsigned int *u, *later;
	cudaMallocManaged(&u, n * sizeof *u);
	cudaMallocManaged(&later, 100 * sizeof *u);
	curandGenerator_t g;
	curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
	curandSetPseudoRandomGeneratorSeed(g, 1234);
	curandGenerate(g, u, n);
	curandSetGeneratorOffset(g, 5000);
	curandGenerate(g, later, 100);
	cudaDeviceSynchronize();
	std::vector<unsigned int> first = xorwow(1234, 0);
	check(u[0] == first[0] && u[4096] == first[1] && u[8192] == first[2], "number n is of subsequence n mod 4096");
	check(u[4096 + 17] == drawn<curandState>(1234, 17, 1)[0], "and of its place n / 4096");
	bool right = true;
	for (int i = 0; i < 100; i++)
		right = right && later[i] == u[5000 + i];
	check(right, "an offset goes on in the same order");
	curandSetGeneratorOffset(g, 0);
	curandGenerate(g, later, 60);
	curandGenerate(g, later + 60, 40);
	cudaDeviceSynchronize();
	for (int i = 0; i < 100; i++)
		right = right && later[i] == u[i];
	check(right, "and so does the next call");
	check(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_TYPE_ERROR, "what is not there is refused");
}

/* A host generator draws the numbers of the other kind, call after call. */
static void to_host(curandRngType_t type)
{
	enum { COUNT = 5000 };
	curandGenerator_t device, host;
	float *memory;
	std::vector<float> want(COUNT), got(COUNT);
	bool holds = !curandCreateGenerator(&device, type) && !curandCreateGeneratorHost(&host, type);
	cudaMalloc(&memory, COUNT * sizeof *memory);
	for (int call = 0; call < 2; call++) {
		holds = holds && !curandGenerateUniform(device, memory, COUNT) && !curandGenerateUniform(host, got.data(), COUNT);
		cudaMemcpy(want.data(), memory, COUNT * sizeof *memory, cudaMemcpyDeviceToHost);
		holds = holds && got == want;
	}
	check(holds && !curandDestroyGenerator(device) && !curandDestroyGenerator(host), "host generators draw the same");
	cudaFree(memory);
}

int main()
{
	sequences();
	published();
	from_host(CURAND_RNG_PSEUDO_XORWOW);
	from_host(CURAND_RNG_PSEUDO_PHILOX4_32_10);
	from_host(CURAND_RNG_PSEUDO_MRG32K3A);
	order();
	to_host(CURAND_RNG_PSEUDO_XORWOW);
	to_host(CURAND_RNG_PSEUDO_PHILOX4_32_10);
	check(cudaGetLastError() == cudaSuccess, "no launch failed");
	puts(failures ? "curand_generators FAIL" : "curand_generators PASS");
	return failures != 0;
}
