__global__ void odd_even(int *p, int n)
{
	int i = 2 * threadIdx.x;
	for (int phase = 0; phase < n; phase++) {
		int at = i + (phase & 1);
		if (at + 1 < n && p[at] > p[at + 1]) {
			int t = p[at];
			p[at] = p[at + 1];
			p[at + 1] = t;
		}
		__syncthreads();
	}
}

void sort_small(int *device, int n)
{
	odd_even<<<1, (n + 1) / 2>>>(device, n);
}
