#pragma once
#include "vec.h"

#define SPHERES 6
#define BOUNCES 3

/* Brightness along a ray: nearest sphere, light from above, reflections by a loop of bounces. */
template <typename Spheres> __host__ __device__ float trace(const Spheres &spheres, Vec origin, Vec direction)
{
	float brightness = 0, weight = 1;
	for (int bounce = 0; bounce < BOUNCES; bounce++) {
		int nearest = -1;
		float least = 1e20f, t;
		for (int i = 0; i < SPHERES; i++)
			if (hit(spheres[i], origin, direction, t) && t < least) {
				least = t;
				nearest = i;
			}
		if (nearest < 0)
			return brightness + weight * 0.25f * (direction.y + 1.0f);
		origin = origin + direction * least;
		Vec normal = (origin - spheres[nearest].center).unit();
		float light = normal.dot(Vec(0.5f, 0.8f, -0.33f));
		brightness += weight * (1 - spheres[nearest].reflection) * (light > 0 ? light : 0);
		weight *= spheres[nearest].reflection;
		direction = direction - normal * (2 * direction.dot(normal));
	}
	return brightness;
}

void render(const Sphere *spheres, float *image, int w, int h);
__host__ __device__ inline Vec ray_of(int x, int y, int w, int h)
{
	return Vec(((float)x - (float)w / 2) / (float)h, ((float)y - (float)h / 2) / (float)h, 1.0f).unit();
}
