/*
 * How far the slices of L2 are from an SM: the latency of 2,048 lines that the SM's own half of L2 holds, from every SM, one SM
 * at a time.
 *
 *	nvcc -O3 -arch=sm_90 distance.cu -o distance && ./distance
 *
 * Prints a row per SM (the median of five readings of every line: mean, standard deviation, percentiles 1, 10, 50, 90, 99), a
 * row for all of them together, and a row of what an SM spreads over on the mean. Reading the clock is part of every figure.
 *
 * `distance lines SM` is for the model, which does not time the clock: after a launch in which every SM reads all lines, so that
 * both halves hold them, the SM reads one line in eight, in a launch of its own each. Cycles of these launches differ by
 * RELOADS times what lines differ by. It prints RELOADS.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <cuda_runtime.h>

enum { LINES = 2048, WORDS = 32, WARM = 2, PASSES = WARM + 5, SKIP = 8, RELOADS = 4 };

/* Every line holds zeros: what a load brings is added to the next address. */
__global__ void read(const unsigned *data, unsigned short *cycles, unsigned wanted, bool all)
{
	unsigned sm, next = 0;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
	if (threadIdx.x || (!all && sm != wanted))
		return;
	for (int i = 0; i < LINES; i++) {
		unsigned before, after, value;
		asm volatile("mov.u32 %0, %%clock;" : "=r"(before)::"memory");
		asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(data + i * WORDS + next) : "memory");
		asm volatile("add.u32 %0, %1, 0;" : "=r"(next) : "r"(value) : "memory");
		if (next == 77)
			break;
		asm volatile("mov.u32 %0, %%clock;" : "=r"(after)::"memory");
		cycles[(size_t)sm * LINES + i] = (unsigned short)(after - before);
	}
}

/* One line, so often that the CTAs of the other SMs, which do nothing, are over by then. */
__global__ void reload(const unsigned *line, unsigned wanted)
{
	unsigned sm, next = 0;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
	if (threadIdx.x || sm != wanted)
		return;
	for (int i = 0; i < RELOADS; i++) {
		unsigned value;
		asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(line + next) : "memory");
		asm volatile("add.u32 %0, %1, 0;" : "=r"(next) : "r"(value) : "memory");
	}
}

static double at(const std::vector<double> &sorted, double part)
{
	return sorted[(size_t)(part * sorted.size())];
}

/* Prints the row, and returns what lies between percentiles 1 and 99. */
static double show(const char *name, std::vector<double> v)
{
	double sum = 0, squares = 0;
	for (double x : v)
		sum += x, squares += x * x;
	double mean = sum / v.size();
	std::sort(v.begin(), v.end());
	printf("%s\t%.1f\t%.1f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\n", name, mean, sqrt(squares / v.size() - mean * mean), at(v, .01),
	       at(v, .1), at(v, .5), at(v, .9), at(v, .99));
	return at(v, .99) - at(v, .01);
}

static int failed()
{
	cudaError_t e = cudaDeviceSynchronize();
	if (e != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(e));
	return e != cudaSuccess;
}

int main(int argc, char **argv)
{
	int sms, shared = 160 << 10; /* so much that every SM gets one CTA */
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	unsigned *data;
	unsigned short *cycles;
	size_t readings = (size_t)sms * LINES;
	cudaMalloc(&data, LINES * WORDS * sizeof *data);
	cudaMemset(data, 0, LINES * WORDS * sizeof *data);
	cudaMalloc(&cycles, readings * sizeof *cycles);
	cudaFuncSetAttribute(read, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
	cudaFuncSetAttribute(reload, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
	if (argc == 3 && !strcmp(argv[1], "lines")) {
		read<<<sms, 32, shared>>>(data, cycles, 0, true);
		for (int i = 0; i < LINES; i += SKIP)
			reload<<<sms, 32, shared>>>(data + i * WORDS, atoi(argv[2]));
		printf("%d\n", RELOADS);
		return failed();
	}
	std::vector<std::vector<unsigned short>> seen(PASSES, std::vector<unsigned short>(readings));
	for (int pass = 0; pass < PASSES; pass++) {
		for (int sm = 0; sm < (pass < WARM ? 1 : sms); sm++)
			read<<<sms, 32, shared>>>(data, cycles, sm, pass < WARM);
		cudaMemcpy(seen[pass].data(), cycles, readings * sizeof *cycles, cudaMemcpyDeviceToHost);
	}
	if (failed())
		return 1;
	std::vector<double> every;
	double spread = 0;
	for (int sm = 0; sm < sms; sm++) {
		std::vector<double> mine;
		for (size_t i = (size_t)sm * LINES; i < (size_t)(sm + 1) * LINES; i++) {
			std::vector<unsigned short> v;
			for (int pass = WARM; pass < PASSES; pass++)
				v.push_back(seen[pass][i]);
			std::sort(v.begin(), v.end());
			mine.push_back(v[v.size() / 2]);
		}
		every.insert(every.end(), mine.begin(), mine.end());
		spread += show(std::to_string(sm).c_str(), mine) / sms;
	}
	show("all", every);
	printf("spread\t%.1f\n", spread);
	return 0;
}
