#pragma once
#include <cuda_runtime.h>

struct v3 {
	float x, y, z;
	__host__ __device__ v3 operator+(const v3 &o) const
	{
		return {x + o.x, y + o.y, z + o.z};
	}
};
float longest(const v3 *device, int n);
