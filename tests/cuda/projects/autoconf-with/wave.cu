__global__ void step(const float *now, float *next, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		next[i] = 0.5f * now[i] + 0.25f * ((i ? now[i - 1] : 0) + (i + 1 < n ? now[i + 1] : 0));
}

extern "C" int propagate(float *wave, int points, int steps)
{
	float *a, *b;
	cudaMalloc(&a, points * sizeof *a);
	cudaMalloc(&b, points * sizeof *b);
	cudaMemcpy(a, wave, points * sizeof *a, cudaMemcpyHostToDevice);
	for (int i = 0; i < steps; i++) {
		step<<<(points + 31) / 32, 32>>>(a, b, points);
		float *t = a;
		a = b;
		b = t;
	}
	return (int)cudaMemcpy(wave, a, points * sizeof *a, cudaMemcpyDeviceToHost);
}
