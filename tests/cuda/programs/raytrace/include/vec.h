#pragma once
#include <math.h>

struct Vec {
	float x, y, z;
	__host__ __device__ Vec(float a = 0, float b = 0, float c = 0) : x(a), y(b), z(c)
	{
	}
	__host__ __device__ Vec operator+(const Vec &o) const
	{
		return Vec(x + o.x, y + o.y, z + o.z);
	}
	__host__ __device__ Vec operator-(const Vec &o) const
	{
		return Vec(x - o.x, y - o.y, z - o.z);
	}
	__host__ __device__ Vec operator*(float s) const
	{
		return Vec(x * s, y * s, z * s);
	}
	__host__ __device__ float dot(const Vec &o) const
	{
		return x * o.x + y * o.y + z * o.z;
	}
	__host__ __device__ Vec unit() const
	{
		return *this * (1.0f / sqrtf(dot(*this)));
	}
};

struct Sphere {
	Vec center;
	float radius;
	float reflection;
};

__host__ __device__ inline bool hit(const Sphere &s, const Vec &origin, const Vec &direction, float &t)
{
	Vec l = s.center - origin;
	float along = l.dot(direction), d2 = l.dot(l) - along * along, r2 = s.radius * s.radius;
	if (along < 0 || d2 > r2)
		return false;
	t = along - sqrtf(r2 - d2);
	return t > 1e-3f;
}
