/*
 * Online clustering: what would be gained by opening a candidate as a centre? One thread per point measures the way
 * to the candidate. Coordinates are dimension-major: one's own are shared by no other warp, the candidate's by all.
 */
#include "../common/workload.h"

enum { THREADS = 512, BLOBS = 10, STEPS = 16 };

static struct workload_param param[] = {
	{"points", "points", 1024, 65536, 65536, 2, 1 << 20},
	{"dimensions", "coordinates of a point", 32, 64, 256, 1, 256},
	{"candidates", "points tried as centres", 4, 2, 6, 1, 64},
};

struct record {
	float weight, cost; /* cost: weight times the squared distance to its centre */
	int centre, reserved;
};

/* saved[point * (centres + 1) + slot]: lost if that centre closed; the last slot: won if the candidate opened. */
__global__ void measure_gain(const float *coordinate, const struct record *record, const int *slot,
                             int *switches, float *saved, int points, int dimensions, int candidate,
                             int centres)
{
	int p = blockIdx.x * blockDim.x + threadIdx.x;
	if (p >= points)
		return;
	float distance = 0;
#pragma unroll 1
	for (int d = 0; d < dimensions; d++) {
		float apart = coordinate[d * points + p] - coordinate[d * points + candidate];
		distance += apart * apart;
	}
	float cost = distance * record[p].weight, change = cost - record[p].cost;
	if (change < 0) {
		switches[p] = 1;
		saved[p * (centres + 1) + centres] = change;
	} else {
		saved[p * (centres + 1) + slot[record[p].centre]] = -change;
	}
}

/* A clustering: which points are centres, and the records of all. */
struct clusters {
	struct record *record;
	int *slot, *open; /* slot[p]: place of centre p in `open` */
	int points, centres;
	double price;
};

/* Opens the candidate and closes what it makes needless, if that pays. */
static void open_centre(struct clusters *c, int candidate, const int *switches, const double *saved,
                        const float *distance)
{
	double gain = -saved[c->centres] - c->price;
	int kept = 0;
	for (int k = 0; k < c->centres; k++)
		if (saved[k] + c->price > 0)
			gain += saved[k] + c->price;
	if (gain <= 0)
		return;
	for (int p = 0; p < c->points; p++) {
		struct record *r = &c->record[p];
		if (switches[p] || saved[c->slot[r->centre]] + c->price > 0) {
			r->centre = candidate;
			r->cost = r->weight * distance[p];
		}
	}
	for (int k = 0; k < c->centres; k++)
		if (saved[k] + c->price <= 0)
			c->open[kept++] = c->open[k];
	c->open[kept++] = candidate;
	c->centres = kept;
	for (int k = 0; k < kept; k++)
		c->slot[c->open[k]] = k;
}

static void distances(const float *coordinate, float *distance, int points, int dimensions, int to)
{
	memset(distance, 0, points * sizeof *distance);
	for (int d = 0; d < dimensions; d++) {
		const float *row = coordinate + (size_t)d * points;
		for (int p = 0; p < points; p++)
			distance[p] += (row[p] - row[to]) * (row[p] - row[to]);
	}
}

static void reference_gain(const struct clusters *c, const float *distance, int *switches, double *saved)
{
	for (int p = 0; p < c->points; p++) {
		const struct record *r = &c->record[p];
		double change = (double)r->weight * distance[p] - r->cost;
		switches[p] = change < 0;
		saved[change < 0 ? c->centres : c->slot[r->centre]] += change < 0 ? change : -change;
	}
}

struct device {
	float *coordinate;
	struct record *record;
	int *slot, *switches;
};

static void device_gain(struct workload *w, struct device *d, const struct clusters *c, int dimensions,
                        int candidate, int *switches, double *saved)
{
	size_t n = c->points, cells = n * (c->centres + 1);
	float *device_saved = WORKLOAD_DEVICE(float, cells), *own = WORKLOAD_HOST(float, cells);
	WORKLOAD_CUDA(cudaMemcpy(d->record, c->record, n * sizeof *c->record, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(d->slot, c->slot, n * sizeof(int), cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemset(d->switches, 0, n * sizeof(int)));
	WORKLOAD_CUDA(cudaMemset(device_saved, 0, cells * sizeof(float)));
	workload_start(w);
	measure_gain<<<(c->points + THREADS - 1) / THREADS, THREADS>>>(d->coordinate, d->record, d->slot,
	                                                               d->switches, device_saved, c->points,
	                                                               dimensions, candidate, c->centres);
	workload_stop(w);
	WORKLOAD_CUDA(cudaMemcpy(own, device_saved, cells * sizeof(float), cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(switches, d->switches, n * sizeof(int), cudaMemcpyDeviceToHost));
	for (size_t i = 0; i < cells; i++)
		saved[i % (c->centres + 1)] += own[i];
	WORKLOAD_CUDA(cudaFree(device_saved));
	free(own);
}

/* Points in blobs, on a lattice of 1/16: squared distances and costs are exact in a float. */
static void make_points(struct workload *w, float *coordinate, struct record *record, int points,
                        int dimensions)
{
	for (int d = 0; d < dimensions; d++) {
		uint32_t base[BLOBS];
		for (int b = 0; b < BLOBS; b++)
			base[b] = workload_below(w, 3 * STEPS / 4);
		for (int p = 0; p < points; p++)
			coordinate[(size_t)d * points + p] =
			    (float)(base[p % BLOBS] + workload_below(w, STEPS / 4)) / STEPS;
	}
	for (int p = 0; p < points; p++)
		record[p].weight = (float)(1 + workload_below(w, 3));
}

/* Both are exact. */
static bool same_gain(const int *switches, const int *want_switches, const double *saved,
                      const double *want_saved, const struct clusters *c)
{
	for (int k = 0; k <= c->centres; k++)
		if (saved[k] != want_saved[k]) {
			fprintf(stderr, "saved[%d] is %.17g, not %.17g\n", k, saved[k], want_saved[k]);
			return false;
		}
	return workload_same_ints("switches", switches, want_switches, c->points);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("streamcluster", "gain of opening a centre", param, 3, argc, argv);
	int points = (int)workload_value(&w, "points"), dimensions = (int)workload_value(&w, "dimensions");
	int candidates = (int)workload_value(&w, "candidates");
	size_t floats = (size_t)points * dimensions;
	float *coordinate = WORKLOAD_HOST(float, floats), *distance = WORKLOAD_HOST(float, points);
	int *switches = WORKLOAD_HOST(int, points), *want_switches = WORKLOAD_HOST(int, points);
	struct device device = {WORKLOAD_DEVICE(float, floats), WORKLOAD_DEVICE(struct record, points),
	                        WORKLOAD_DEVICE(int, points), WORKLOAD_DEVICE(int, points)};
	struct clusters c = {WORKLOAD_HOST(struct record, points),
	                     WORKLOAD_HOST(int, points),
	                     WORKLOAD_HOST(int, candidates + 1),
	                     points,
	                     1,
	                     (double)floats / 256};
	make_points(&w, coordinate, c.record, points, dimensions);
	WORKLOAD_CUDA(
	    cudaMemcpy(device.coordinate, coordinate, floats * sizeof(float), cudaMemcpyHostToDevice));
	distances(coordinate, distance, points, dimensions, 0);
	for (int p = 0; p < points; p++)
		c.record[p].cost = c.record[p].weight * distance[p];

	bool pass = true;
	for (int i = 0; pass && i < candidates; i++) {
		int candidate = 1 + (int)workload_below(&w, points - 1);
		double *saved = WORKLOAD_HOST(double, candidates + 2),
		       *want_saved = WORKLOAD_HOST(double, candidates + 2);
		device_gain(&w, &device, &c, dimensions, candidate, switches, saved);
		distances(coordinate, distance, points, dimensions, candidate);
		reference_gain(&c, distance, want_switches, want_saved);
		pass = same_gain(switches, want_switches, saved, want_saved, &c);
		if (pass)
			open_centre(&c, candidate, switches, saved, distance);
		free(saved);
		free(want_saved);
	}
	return workload_close(&w, pass);
}
