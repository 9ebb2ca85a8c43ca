/*
 * Potential and forces between particles of neighbouring boxes, which decay as exp(-a^2 r^2).
 * A CTA owns a box and a thread one of its particles; the box's particles, then those of each neighbour in turn, are
 * staged in shared memory.
 */
#include "../common/workload.h"

enum { THREADS = 128, MAX_PARTICLES = 100, NEIGHBOURS = 27, SAMPLES = 2000 };

/* A position and half the square of its length: the square of a distance then takes one scalar product. */
struct particle {
	double half_square, x, y, z;
};

static struct workload_param param[] = {
	{"boxes", "boxes along each edge", 2, 3, 10, 1, 64},
	{"particles", "particles in a box", 24, 100, 100, 1, MAX_PARTICLES},
};

/* Boxes around each box, itself included; box b has neighbours[b] of them from neighbour[b * NEIGHBOURS] on. */
static void list_neighbours(int *neighbour, int *neighbours, int boxes)
{
	for (int b = 0; b < boxes * boxes * boxes; b++) {
		int x = b % boxes, y = b / boxes % boxes, z = b / boxes / boxes;
		for (int i = 0; i < NEIGHBOURS; i++) {
			int nx = x + i % 3 - 1, ny = y + i / 3 % 3 - 1, nz = z + i / 9 - 1;
			if (nx >= 0 && nx < boxes && ny >= 0 && ny < boxes && nz >= 0 && nz < boxes)
				neighbour[b * NEIGHBOURS + neighbours[b]++] = (nz * boxes + ny) * boxes + nx;
		}
	}
}

/* Coordinate by coordinate, which takes the fewest registers. */
__device__ static void interact(struct particle *force, const struct particle *at, const struct particle *other,
                                double charge, double twice_a2)
{
	double half_distance2 = at->half_square + other->half_square;
	double ax = at->x, bx = other->x, dx = ax - bx;
	half_distance2 -= ax * bx;
	double ay = at->y, by = other->y, dy = ay - by;
	half_distance2 -= ay * by;
	double az = at->z, bz = other->z, dz = az - bz;
	half_distance2 -= az * bz;
	double decay = charge * exp(-twice_a2 * half_distance2);
	force->half_square += decay; /* the potential takes this place */
	force->x += 2 * decay * dx;
	force->y += 2 * decay * dy;
	force->z += 2 * decay * dz;
}

__global__ void accumulate_forces(const struct particle *position, const double *charge, const int *neighbour,
                                  const int *neighbours, struct particle *force, int particles, double twice_a2)
{
	__shared__ struct particle home[MAX_PARTICLES], other[MAX_PARTICLES];
	__shared__ struct particle sum[MAX_PARTICLES];
	__shared__ double other_charge[MAX_PARTICLES];
	int thread = threadIdx.x, box = blockIdx.x;
	if (thread < particles) {
		home[thread] = position[box * particles + thread];
		sum[thread].half_square = sum[thread].x = sum[thread].y = sum[thread].z = 0;
	}
	for (int n = 0; n < neighbours[box]; n++) {
		int first = neighbour[box * NEIGHBOURS + n] * particles;
		if (thread < particles) {
			other[thread] = position[first + thread];
			other_charge[thread] = charge[first + thread];
		}
		__syncthreads();
		if (thread < particles) {
#pragma unroll 1
			for (int j = 0; j < particles; j++)
				interact(&sum[thread], &home[thread], &other[j], other_charge[j], twice_a2);
		}
		__syncthreads();
	}
	if (thread < particles)
		force[box * particles + thread] = sum[thread];
}

/* Of one particle, from plain distances. */
static void reference(float want[4], const struct particle *position, const double *charge, const int *neighbour,
                      int neighbours, int particles, int self, double a)
{
	double sum[4] = {};
	for (int n = 0; n < neighbours; n++)
		for (int j = neighbour[n] * particles; j < (neighbour[n] + 1) * particles; j++) {
			double d[3] = {position[self].x - position[j].x, position[self].y - position[j].y,
			               position[self].z - position[j].z};
			double decay = charge[j] * exp(-a * a * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
			sum[0] += decay;
			for (int k = 0; k < 3; k++)
				sum[1 + k] += 2 * decay * d[k];
		}
	for (int k = 0; k < 4; k++)
		want[k] = (float)sum[k];
}

static void make_input(struct workload *w, struct particle *position, double *charge, int boxes, int particles)
{
	for (int b = 0; b < boxes * boxes * boxes; b++)
		for (int i = b * particles; i < (b + 1) * particles; i++) {
			struct particle *p = position + i;
			p->x = b % boxes + workload_unit(w);
			p->y = b / boxes % boxes + workload_unit(w);
			p->z = b / boxes / boxes + workload_unit(w);
			p->half_square = (p->x * p->x + p->y * p->y + p->z * p->z) / 2;
			charge[i] = workload_unit(w);
		}
}

/* Every particle, or SAMPLES spread over all. */
static bool check(const struct particle *force, const struct particle *position, const double *charge,
                  const int *neighbour, const int *neighbours, int boxes, int particles, double a)
{
	long long all = (long long)boxes * boxes * boxes * particles, samples = all < SAMPLES ? all : SAMPLES;
	for (long long s = 0; s < samples; s++) {
		int self = (int)(s * all / samples), box = self / particles;
		const struct particle *f = force + self;
		float want[4], got[4] = {(float)f->half_square, (float)f->x, (float)f->y, (float)f->z};
		reference(want, position, charge, neighbour + box * NEIGHBOURS, neighbours[box], particles, self, a);
		if (!workload_same_floats("force", got, want, 4, 1e-5)) {
			fprintf(stderr, "(of particle %d)\n", self);
			return false;
		}
	}
	return true;
}

int main(int argc, char **argv)
{
	const double a = 0.5;
	struct workload w = workload_open("lavamd", "forces between particles in neighbouring boxes", param, 2, argc, argv);
	int boxes = (int)workload_value(&w, "boxes"), particles = (int)workload_value(&w, "particles");
	int cubes = boxes * boxes * boxes, all = cubes * particles;
	struct particle *position = WORKLOAD_HOST(struct particle, all), *force = WORKLOAD_HOST(struct particle, all);
	double *charge = WORKLOAD_HOST(double, all), *device_charge = WORKLOAD_DEVICE(double, all);
	int *neighbour = WORKLOAD_HOST(int, cubes *NEIGHBOURS), *neighbours = WORKLOAD_HOST(int, cubes);
	struct particle *device_position = WORKLOAD_DEVICE(struct particle, all);
	struct particle *device_force = WORKLOAD_DEVICE(struct particle, all);
	int *device_neighbour = WORKLOAD_DEVICE(int, cubes *NEIGHBOURS), *device_neighbours = WORKLOAD_DEVICE(int, cubes);
	make_input(&w, position, charge, boxes, particles);
	list_neighbours(neighbour, neighbours, boxes);
	WORKLOAD_CUDA(cudaMemcpy(device_position, position, all * sizeof *position, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_charge, charge, all * sizeof *charge, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_neighbour, neighbour, cubes * NEIGHBOURS * sizeof(int), cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_neighbours, neighbours, cubes * sizeof(int), cudaMemcpyHostToDevice));

	workload_start(&w);
	accumulate_forces<<<cubes, THREADS>>>(device_position, device_charge, device_neighbour, device_neighbours,
	                                      device_force, particles, 2 * a * a);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(force, device_force, all * sizeof *force, cudaMemcpyDeviceToHost));
	return workload_close(&w, check(force, position, charge, neighbour, neighbours, boxes, particles, a));
}
