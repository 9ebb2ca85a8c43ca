/*
 * Which accesses of a sequence hit L1: one warp loads line after line and looks at the clock. Prints a row per sequence: its
 * name, the SM, the carve-out asked for, and a character per access, '1' for a hit. What is seen does not pass through L1: the
 * sequence is in constant memory, and the answers leave by atomics.
 *
 *	nvcc -O3 -arch=sm_90 accesses.cu -o accesses && ./accesses >accesses.txt
 */
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <cuda_runtime.h>

enum { MOST = 30000, HIT_CYCLES = 130 }; /* a hit takes less: 36 cycles, and what the clock costs */

typedef std::vector<unsigned short> order;

__constant__ unsigned short sequence[MOST];

__global__ void play(const char *lines, unsigned *hits, int count)
{
	unsigned seen = 0;
	for (int i = 0; i < count; i++) {
		unsigned before, after, value;
		const char *from = lines + (size_t)sequence[i] * 128 + threadIdx.x * 4;
		asm volatile("mov.u32 %0, %%clock;" : "=r"(before)::"memory");
		asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
		if (value) /* never: the lines are zero, but the clock has to wait for the load */
			asm volatile("trap;");
		asm volatile("mov.u32 %0, %%clock;" : "=r"(after)::"memory");
		seen |= (unsigned)(after - before < HIT_CYCLES) << (i & 31);
		if ((i & 31) == 31 || i == count - 1) {
			if (threadIdx.x == 0)
				atomicOr(&hits[i / 32], seen);
			seen = 0;
		}
	}
	unsigned sm;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
	if (threadIdx.x == 0)
		atomicOr(&hits[MOST / 32 + 1], sm);
}

static const char *lines;
static unsigned *hits;

static void show(const std::string &name, int carveout, const order &accesses)
{
	cudaFuncSetAttribute(play, cudaFuncAttributePreferredSharedMemoryCarveout, carveout);
	cudaMemcpyToSymbol(sequence, accesses.data(), accesses.size() * 2);
	cudaMemset(hits, 0, (MOST / 32 + 2) * 4);
	play<<<1, 32>>>(lines, hits, (int)accesses.size());
	std::vector<unsigned> bits(MOST / 32 + 2);
	cudaMemcpy(bits.data(), hits, bits.size() * 4, cudaMemcpyDeviceToHost);
	std::string text;
	for (size_t i = 0; i < accesses.size(); i++)
		text += bits[i / 32] >> (i & 31) & 1 ? '1' : '0';
	printf("%s %u %d %s\n", name.c_str(), bits[MOST / 32 + 1], carveout, text.c_str());
}

/* Lines 0, step, 2 step, ... again and again. */
static order ring(int length, int step, int rounds)
{
	order accesses;
	for (int round = 0; round < rounds && (int)accesses.size() + length <= MOST; round++)
		for (int i = 0; i < length; i++)
			accesses.push_back((unsigned short)(i * step));
	return accesses;
}

/* `live` lines, of which some are used again, then `fresh` new ones, then all of them. */
static order touched(int live, int from, int to, int fresh)
{
	order accesses = ring(live, 1, 1);
	for (int i = from; i < to; i++)
		accesses.push_back((unsigned short)i);
	for (int i = 0; i < fresh; i++)
		accesses.push_back((unsigned short)(live + i));
	for (int i = 0; i < live + fresh; i++)
		accesses.push_back((unsigned short)i);
	return accesses;
}

/* Rows of 16 lines: of each, `triples` times three lines, the second `apart` from the first and the third next to it. */
static order walk(int triples, int apart, int rows)
{
	order accesses;
	for (int at = 0; at < MOST; at++) {
		int row = at / (3 * triples) % rows, triple = at / 3 % triples, line = at % 3;
		accesses.push_back((unsigned short)(16 * row + triple + (line ? apart + line - 1 : 0)));
	}
	return accesses;
}

static order random_lines(int among, int count)
{
	order accesses;
	for (int i = 0; i < count; i++)
		accesses.push_back((unsigned short)(rand() % among));
	return accesses;
}

int main()
{
	char *memory;
	cudaMalloc(&memory, 4 << 20);
	cudaMemset(memory, 0, 4 << 20);
	lines = memory;
	cudaMalloc(&hits, (MOST / 32 + 2) * 4);
	srand(1);
	static const int all[] = {1728, 1744, 1760, 1792, 1856, 1920, 1984, 2048, 2112, 2240, 2304, 2432};
	for (int length : all)
		for (int again = 0; again < 2; again++)
			show("ring:" + std::to_string(length), -1, ring(length, 1, 99));
	static const int few[] = {168, 172, 176, 180, 184, 192, 200, 224, 256, 320};
	for (int length : few)
		for (int step = 1; step <= 4; step *= 2)
			for (int again = 0; again < 2; again++)
				show("ring:" + std::to_string(length) + ":" + std::to_string(step), 100, ring(length, step, 40));
	static const int half[] = {936, 944, 960, 1024, 1088, 1152};
	for (int length : half)
		show("ring:" + std::to_string(length), 44, ring(length, 1, 99));
	for (int fresh = 8; fresh <= 128; fresh *= 2)
		for (int again = 0; again < 2; again++) {
			show("touched:160:40:80:" + std::to_string(fresh), 100, touched(160, 40, 80, fresh));
			show("touched:1700:200:800:" + std::to_string(fresh), -1, touched(1700, 200, 800, fresh));
		}
	show("walk:2:3:512", -1, walk(2, 3, 512));
	show("walk:3:3:512", -1, walk(3, 3, 512));
	show("walk:3:6:512", -1, walk(3, 6, 512));
	show("walk:4:0:512", -1, walk(4, 0, 512));
	show("walk:5:3:256", -1, walk(5, 3, 256));
	show("walk:8:3:192", -1, walk(8, 3, 192));
	show("random:190", 100, random_lines(190, 4000));
	show("random:260", 100, random_lines(260, 4000));
	show("random:1900", -1, random_lines(1900, MOST));
	show("random:2400", -1, random_lines(2400, MOST));
	show("random:4000", -1, random_lines(4000, MOST));
	show("random:16384", -1, random_lines(16384, MOST));
	cudaError_t e = cudaDeviceSynchronize();
	if (e != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(e));
	return e != cudaSuccess;
}
