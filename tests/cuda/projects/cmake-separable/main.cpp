#include <cstdio>

#include "particle.h"

int main()
{
	v3 *p;
	cudaMalloc(&p, 50 * sizeof *p);
	cudaMemset(p, 0, 50 * sizeof *p);
	for (int i = 0; i < 3; i++)
		advance(p, 50, {1, 2, 3});
	bool right = longest(p, 50) == 18;
	std::printf("cmake-separable %s\n", right ? "PASS" : "FAIL");
	return !right;
}
