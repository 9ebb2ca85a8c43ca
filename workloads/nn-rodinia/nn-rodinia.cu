/* The records nearest to a place: one thread per record takes the distance, the host picks the nearest. */
#include "../common/workload.h"

enum { THREADS = 256 };

static struct workload_param param[] = {
	{"records", "records", 10000, 342080, 42764, 1, 1 << 28},
	{"nearest", "how many of the nearest to pick", 10, 10, 10, 1, 1000},
};

struct position {
	float latitude, longitude;
};

/* One instruction, as a root was on the machines of the papers; an exact one takes ten. */
__device__ static inline float root(float x)
{
	float y;
	asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
	return y;
}

__global__ void distances(const struct position *record, float *distance, int records, struct position place)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= records)
		return;
	float north = record[i].latitude - place.latitude, east = record[i].longitude - place.longitude;
	distance[i] = root(north * north + east * east);
}

/* The nearest first; of two as near, the earlier record. */
static int pick(const float *distance, int records, int *picked, int most)
{
	int n = 0;
	for (int i = 0; i < records; i++) {
		if (n == most && distance[i] >= distance[picked[n - 1]])
			continue;
		int k = n < most ? n++ : n - 1;
		for (; k > 0 && distance[picked[k - 1]] > distance[i]; k--)
			picked[k] = picked[k - 1];
		picked[k] = i;
	}
	return n;
}

static bool picked_well(const float *got, const int *got_picked, const float *want, const int *want_picked,
                        int n)
{
	for (int k = 0; k < n; k++)
		if (fabs((double)got[got_picked[k]] - want[want_picked[k]]) > 1e-4) {
			fprintf(stderr, "neighbour %d is record %d at %g, not %d at %g\n", k, got_picked[k],
			        got[got_picked[k]], want_picked[k], want[want_picked[k]]);
			return false;
		}
	return true;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("nn-rodinia", "nearest records to a place", param, 2, argc, argv);
	int records = (int)workload_value(&w, "records"), nearest = (int)workload_value(&w, "nearest");
	struct position *record = WORKLOAD_HOST(struct position, records);
	float *distance = WORKLOAD_HOST(float, records), *want = WORKLOAD_HOST(float, records);
	int *picked = WORKLOAD_HOST(int, nearest), *want_picked = WORKLOAD_HOST(int, nearest);
	struct position *device_record = WORKLOAD_DEVICE(struct position, records), place;
	float *device_distance = WORKLOAD_DEVICE(float, records);
	for (int i = 0; i < records; i++) {
		record[i].latitude = 180 * workload_unit(&w) - 90;
		record[i].longitude = 360 * workload_unit(&w) - 180;
	}
	place.latitude = 30;
	place.longitude = 90;
	WORKLOAD_CUDA(cudaMemcpy(device_record, record, records * sizeof *record, cudaMemcpyHostToDevice));

	workload_start(&w);
	distances<<<(records + THREADS - 1) / THREADS, THREADS>>>(device_record, device_distance, records,
	                                                          place);
	workload_stop(&w);

	WORKLOAD_CUDA(
	    cudaMemcpy(distance, device_distance, records * sizeof *distance, cudaMemcpyDeviceToHost));
	for (int i = 0; i < records; i++)
		want[i] = (float)hypot((double)record[i].latitude - place.latitude,
		                       (double)record[i].longitude - place.longitude);
	int n = pick(distance, records, picked, nearest);
	pick(want, records, want_picked, nearest);
	return workload_close(&w, workload_same_floats("distance", distance, want, records, 1e-5) &&
	                              picked_well(distance, picked, want, want_picked, n));
}
