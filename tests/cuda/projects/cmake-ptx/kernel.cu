extern "C" __global__ void twice(float *p)
{
	p[threadIdx.x] *= 2;
}
