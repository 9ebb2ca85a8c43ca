/* Spheres in constant memory as raw floats, a thread per pixel. */
#include "scene.h"
#include "verify.h"

struct Raw {
	float v[5];
};
__constant__ Raw c_spheres[SPHERES];

struct ConstantSpheres {
	__device__ Sphere operator[](int i) const
	{
		const Raw &r = c_spheres[i];
		Sphere s;
		s.center = Vec(r.v[0], r.v[1], r.v[2]);
		s.radius = r.v[3];
		s.reflection = r.v[4];
		return s;
	}
};

__global__ void render_kernel(float *image, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < w && y < h)
		image[y * w + x] = trace(ConstantSpheres(), Vec(0, 0, -4), ray_of(x, y, w, h));
}

void render(const Sphere *spheres, float *image, int w, int h)
{
	float *d_image;
	CHECK_CUDA(cudaMemcpyToSymbol(c_spheres, spheres, SPHERES * sizeof(Raw)));
	CHECK_CUDA(cudaMalloc((void **)&d_image, w * h * sizeof(float)));
	dim3 block(16, 8), grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
	render_kernel<<<grid, block>>>(d_image, w, h);
	CHECK_CUDA(cudaGetLastError());
	CHECK_CUDA(cudaMemcpy(image, d_image, w * h * sizeof(float), cudaMemcpyDeviceToHost));
	CHECK_CUDA(cudaFree(d_image));
}
