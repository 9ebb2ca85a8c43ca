__global__ void count(const unsigned char *text, int length, unsigned *bins)
{
	__shared__ unsigned mine[256];
	mine[threadIdx.x] = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < length; i += blockDim.x)
		atomicAdd(&mine[text[i]], 1u);
	__syncthreads();
	atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

extern "C" int histogram(const unsigned char *text, int length, unsigned *bins)
{
	unsigned char *in;
	unsigned *out;
	cudaMalloc(&in, length);
	cudaMalloc(&out, 256 * sizeof *out);
	cudaMemcpy(in, text, length, cudaMemcpyHostToDevice);
	cudaMemset(out, 0, 256 * sizeof *out);
	count<<<1, 256>>>(in, length, out);
	return (int)cudaMemcpy(bins, out, 256 * sizeof *out, cudaMemcpyDeviceToHost);
}
