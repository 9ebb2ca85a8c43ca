/* Sequence alignment: the host walks the diagonals of blocks, down and up again. */
#include "verify.h"

#include "needle_kernel.cu"

int main(int argc, char **argv)
{
	int max_rows = argc > 1 ? atoi(argv[1]) : 128, penalty = 10, wrong = 0, cols = max_rows + 1;
	if (max_rows % 16 != 0) {
		fprintf(stderr, "The dimension must be a multiple of 16\n");
		exit(1);
	}
	size_t size = (size_t)cols * cols;
	int *reference = (int *)calloc(size, sizeof(int)), *want = (int *)calloc(size, sizeof(int)),
	    *got = (int *)malloc(size * sizeof(int));
	int *d_reference, *d_matrix;
	srand(7);
	for (int i = 1; i < cols; i++) {
		want[i] = want[i * cols] = -i * penalty;
		for (int j = 1; j < cols; j++)
			reference[i * cols + j] = rand() % 21 - 10;
	}
	CHECK_CUDA(cudaMalloc((void **)&d_reference, size * sizeof(int)));
	CHECK_CUDA(cudaMalloc((void **)&d_matrix, size * sizeof(int)));
	CHECK_CUDA(cudaMemcpy(d_reference, reference, size * sizeof(int), cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(d_matrix, want, size * sizeof(int), cudaMemcpyHostToDevice));
	int blocks = max_rows / BLOCK_SIZE;
	for (int i = 1; i <= blocks; i++)
		needle_cuda_shared<<<i, BLOCK_SIZE>>>(d_reference, d_matrix, cols, penalty, i - 1, 0);
	for (int i = blocks - 1; i >= 1; i--)
		needle_cuda_shared<<<i, BLOCK_SIZE>>>(d_reference, d_matrix, cols, penalty, blocks - 1,
		                                      blocks - i);
	CHECK_CUDA(cudaMemcpy(got, d_matrix, size * sizeof(int), cudaMemcpyDeviceToHost));
	for (int i = 1; i < cols; i++)
		for (int j = 1; j < cols; j++)
			want[i * cols + j] =
			    maximum(want[(i - 1) * cols + j - 1] + reference[i * cols + j],
			            want[i * cols + j - 1] - penalty, want[(i - 1) * cols + j] - penalty);
	for (size_t i = 0; i < size; i++)
		wrong += got[i] != want[i];
	return verify_result("nw", wrong);
}
