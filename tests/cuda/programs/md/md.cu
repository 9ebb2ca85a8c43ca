/* Lennard-Jones forces over neighbour lists, in the makefile's precision; parameters in a struct by value. */
#include "verify.h"

#ifndef PRECISION
#define PRECISION float
#endif
typedef PRECISION real;

template <typename T> struct vector3 {
	T x, y, z, pad;
};

struct parameters {
	real cutoff2, lj1, lj2;
	int atoms, neighbours;
};

template <typename T>
__global__ void compute_lj_force(vector3<T> *__restrict__ force, const vector3<T> *__restrict__ position,
                                 const int *__restrict__ list, struct parameters p)
{
	int idx = blockIdx.x * blockDim.x + threadIdx.x;
	if (idx >= p.atoms)
		return;
	vector3<T> mine = position[idx], f = {0, 0, 0, 0};
	for (int j = 0; j < p.neighbours; j++) {
		int other = list[j * p.atoms + idx];
		if (other < 0)
			break;
		vector3<T> o = position[other];
		T dx = mine.x - o.x, dy = mine.y - o.y, dz = mine.z - o.z,
		  r2inv = dx * dx + dy * dy + dz * dz;
		if (r2inv < p.cutoff2) {
			r2inv = T(1) / r2inv;
			T r6inv = r2inv * r2inv * r2inv, s = r2inv * r6inv * (p.lj1 * r6inv - p.lj2);
			f.x += dx * s;
			f.y += dy * s;
			f.z += dz * s;
		}
	}
	force[idx] = f;
}

int main(void)
{
	enum { ATOMS = 512, NEIGHBOURS = 48 };
	static vector3<real> position[ATOMS], force[ATOMS];
	static int list[NEIGHBOURS * ATOMS];
	int wrong = 0;
	for (int i = 0; i < ATOMS; i++) {
		position[i].x = i % 8 + 0.1 * (i * 7 % 5);
		position[i].y = i / 8 % 8 + 0.1 * (i * 11 % 5);
		position[i].z = i / 64 + 0.1 * (i * 13 % 5);
		position[i].pad = 0;
	}
	for (int i = 0; i < ATOMS; i++) {
		int count = 0;
		for (int j = 0; j < ATOMS && count < NEIGHBOURS; j++) {
			real dx = position[i].x - position[j].x, dy = position[i].y - position[j].y,
			     dz = position[i].z - position[j].z;
			if (j != i && dx * dx + dy * dy + dz * dz < 6)
				list[count++ * ATOMS + i] = j;
		}
		for (; count < NEIGHBOURS; count++)
			list[count * ATOMS + i] = -1;
	}
	struct parameters p = {4, 1.5, 2, ATOMS, NEIGHBOURS};
	vector3<real> *d_position, *d_force;
	int *d_list;
	CHECK_CUDA(cudaMalloc((void **)&d_position, sizeof position));
	CHECK_CUDA(cudaMalloc((void **)&d_force, sizeof force));
	CHECK_CUDA(cudaMalloc((void **)&d_list, sizeof list));
	CHECK_CUDA(cudaMemcpy(d_position, position, sizeof position, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(d_list, list, sizeof list, cudaMemcpyHostToDevice));
	compute_lj_force<real><<<(ATOMS + 127) / 128, 128>>>(d_force, d_position, d_list, p);
	CHECK_CUDA(cudaGetLastError());
	CHECK_CUDA(cudaMemcpy(force, d_force, sizeof force, cudaMemcpyDeviceToHost));
	for (int i = 0; i < ATOMS; i++) {
		double fx = 0;
		for (int j = 0; j < NEIGHBOURS && list[j * ATOMS + i] >= 0; j++) {
			vector3<real> o = position[list[j * ATOMS + i]];
			double dx = position[i].x - o.x, dy = position[i].y - o.y, dz = position[i].z - o.z;
			double r2 = dx * dx + dy * dy + dz * dz;
			if (r2 < p.cutoff2)
				fx += dx * (p.lj1 / (r2 * r2 * r2) - p.lj2) / (r2 * r2 * r2 * r2);
		}
		wrong += fabs(fx - force[i].x) > 1e-6 * (1 + fabs(fx));
	}
	return verify_result("md", wrong);
}
