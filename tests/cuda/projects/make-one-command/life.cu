#include <cstdio>
#include <cstring>

#include "grid.h"

__global__ void step(const unsigned char *now, unsigned char *next)
{
	int x = threadIdx.x, y = threadIdx.y, around = 0;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			if (dx || dy)
				around += now[(y + dy + SIDE) % SIDE * SIDE + (x + dx + SIDE) % SIDE];
	next[y * SIDE + x] = around == 3 || (around == 2 && now[y * SIDE + x]);
}

int main()
{
	std::vector<unsigned char> grid = glider(SIDE), want = grid;
	unsigned char *now, *next;
	double start = seconds();
	cudaMalloc(&now, grid.size());
	cudaMalloc(&next, grid.size());
	cudaMemcpy(now, grid.data(), grid.size(), cudaMemcpyHostToDevice);
	for (int i = 0; i < 4 * SIDE; i++) { /* once around: four steps move a glider by one */
		step<<<1, dim3(SIDE, SIDE)>>>(now, next);
		std::swap(now, next);
	}
	cudaMemcpy(grid.data(), now, grid.size(), cudaMemcpyDeviceToHost);
	bool right = grid == want && std::strlen(GREETING) == 18 && seconds() >= start;
	std::printf("make-one-command %s\n", right ? "PASS" : "FAIL");
	return !right;
}
