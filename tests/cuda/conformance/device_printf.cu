/* printf from a kernel: conversions, widths, strings, 64-bit and floating values, its result, and the order of text. */
#include "check.h"
#include <unistd.h>

__device__ const char *const names[2] = {"even", "odd"};

__global__ void speak(int n, long long big, double d)
{
	printf("plain\n");
	printf("%d %5d|%-5d|%05d %x %X %o %u %c %%\n", n, n, n, n, 255, 255, 8, 4000000000u, 'z');
	printf("%lld %llx %ld %hd\n", big, (unsigned long long)big, (long)n, n);
	printf("%f %.3f %10.2e %g %G\n", d, d, d, d, 1e-10);
	printf("%s and %s, %10s|%-10s|\n", names[n & 1], "literal", "right", "left");
	printf("%f\n", 1.5f);
	int count = printf("three %d %d %d\n", 1, 2, 3);
	printf("returned %d\n", count);
}

__global__ void chorus(void)
{
	if (threadIdx.x % 8 == 3)
		printf("thread %d of block %d\n", threadIdx.x, blockIdx.x);
}

/* Runs the kernels with standard output in a file, and reads it back. */
static size_t capture(char *text, size_t size)
{
	fflush(stdout);
	int saved = dup(1);
	FILE *file = tmpfile();
	dup2(fileno(file), 1);
	speak<<<1, 1>>>(41, -1234567890123LL, 3.14159265358979);
	SYNC();
	chorus<<<1, 32>>>();
	SYNC();
	fflush(stdout);
	dup2(saved, 1);
	rewind(file);
	size_t length = fread(text, 1, size - 1, file);
	text[length] = 0;
	fclose(file);
	return length;
}

int main(void)
{
	static char got[4096], want[4096];
	int n = 41;
	size_t at = 0;
	at += (size_t)sprintf(want + at, "plain\n");
	at += (size_t)sprintf(want + at, "%d %5d|%-5d|%05d %x %X %o %u %c %%\n", n, n, n, n, 255, 255, 8,
	                      4000000000u, 'z');
	at += (size_t)sprintf(want + at, "%lld %llx %ld %hd\n", -1234567890123LL,
	                      (unsigned long long)-1234567890123LL, (long)n, (short)n);
	double d = 3.14159265358979;
	at += (size_t)sprintf(want + at, "%f %.3f %10.2e %g %G\n", d, d, d, d, 1e-10);
	at += (size_t)sprintf(want + at, "%s and %s, %10s|%-10s|\n", "odd", "literal", "right", "left");
	at += (size_t)sprintf(want + at, "%f\nthree 1 2 3\nreturned 3\n", 1.5f);
	for (int i = 3; i < 32; i += 8)
		at += (size_t)sprintf(want + at, "thread %d of block 0\n", i);
	size_t length = capture(got, sizeof got);
	if (length != at || memcmp(got, want, at) != 0)
		printf("got:\n%s\nexpected:\n%s\n", got, want);
	check_that("text of device printf", length == at && memcmp(got, want, at) == 0);
	check_add_to_digest(got, length);
	return check_finish("device_printf");
}
