/*
 * Cosine similarity of all pairs of documents, each a vector of term weights. A CTA scores 64 documents, which it
 * stages in shared memory, against 16 others: lane x walks the vector of other x from global memory, 4 scores a thread.
 */
#include "../common/mapreduce.h"

enum { SIDE = 16, OWN = 4 * SIDE, STEP = 32 };

static struct workload_param param[] = {
	{"documents", "documents", 96, 640, 1920, 2, 16384},
	{"terms", "length of a document's vector", 32, 64, 128, 1, 4096},
};

struct scored {
	int left, right;
	float score;
};

/* Pairs that a document emits: one with each that follows. */
__global__ void map_count(int *count, int documents)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < documents)
		count[i] = documents - 1 - i;
}

/* A warp per document, so that its vector is read line by line. */
__global__ void measure_lengths(const float *vector, float *length, int documents, int pitch)
{
	int document = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
	if (document >= documents)
		return;
	float sum = 0;
	for (int k = lane; k < pitch; k += 32) {
		float weight = vector[(size_t)document * pitch + k];
		sum += weight * weight;
	}
	for (int distance = 16; distance; distance /= 2)
		sum += __shfl_down_sync(0xffffffffu, sum, distance);
	if (lane == 0)
		length[document] = sqrtf(sum);
}

/* A line of each of the 64 own documents; a warp is two rows of the block. */
static __device__ void stage(float own[OWN][STEP], const float *first, int pitch)
{
	int lane = threadIdx.y % 2 * SIDE + threadIdx.x;
#pragma unroll 1
	for (int row = threadIdx.y / 2; row < OWN; row += SIDE / 2)
		own[row][lane] = first[(size_t)row * pitch + lane];
}

/* Vectors are `pitch` apart, a multiple of STEP, and documents filled up to a multiple of OWN, with zeroes. */
__global__ void map_emit(const float *vector, const float *length, const int *place, struct scored *pair,
                         int documents, int pitch)
{
	__shared__ float own[OWN][STEP];
	int first = blockIdx.y * OWN, right = blockIdx.x * SIDE + threadIdx.x;
	if (first >= (int)(blockIdx.x + 1) * SIDE - 1)
		return; /* all pairs of the CTA are scored the other way round */
	float dot[4] = {0, 0, 0, 0};
	for (int term = 0; term < pitch; term += STEP) {
		const float *other = vector + (size_t)right * pitch + term;
		stage(own, vector + (size_t)first * pitch + term, pitch);
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < STEP; k++) {
			float weight = other[k];
			for (int r = 0; r < 4; r++)
				dot[r] += own[threadIdx.y + r * SIDE][k] * weight;
		}
		__syncthreads();
	}
	for (int r = 0; r < 4; r++) {
		int left = first + threadIdx.y + r * SIDE;
		if (left >= right || right >= documents)
			continue;
		int at = place[left] + right - left - 1;
		pair[at].left = left;
		pair[at].right = right;
		pair[at].score = dot[r] / (length[left] * length[right]);
	}
}

static double dot_product(const float *a, const float *b, int terms)
{
	double sum = 0;
	for (int k = 0; k < terms; k++)
		sum += (double)a[k] * b[k];
	return sum;
}

/* Every pair and score. */
static bool check(const float *vector, const struct scored *pair, int documents, int pitch)
{
	double *length = WORKLOAD_HOST(double, documents);
	size_t at = 0;
	bool same = true;
	for (int i = 0; i < documents; i++)
		length[i] = sqrt(dot_product(vector + (size_t)i * pitch, vector + (size_t)i * pitch, pitch));
	for (int i = 0; i < documents; i++)
		for (int j = i + 1; j < documents && same; j++, at++) {
			const float *a = vector + (size_t)i * pitch, *b = vector + (size_t)j * pitch;
			float want = (float)(dot_product(a, b, pitch) / (length[i] * length[j]));
			same = pair[at].left == i && pair[at].right == j &&
			       workload_same_floats("score", &pair[at].score, &want, 1, 1e-4);
		}
	free(length);
	return same;
}

int main(int argc, char **argv)
{
	struct workload w =
	        workload_open("similarity-score", "cosine similarity of all pairs of documents", param, 2, argc, argv);
	int documents = (int)workload_value(&w, "documents"), terms = (int)workload_value(&w, "terms");
	int pitch = (terms + STEP - 1) / STEP * STEP, rows = (documents + OWN - 1) / OWN * OWN;
	size_t weights = (size_t)rows * pitch, pairs = (size_t)documents * (documents - 1) / 2;
	float *vector = WORKLOAD_HOST(float, weights), *device_vector = WORKLOAD_DEVICE(float, weights);
	struct scored *pair = WORKLOAD_HOST(struct scored, pairs), *device_pair = WORKLOAD_DEVICE(struct scored, pairs);
	float *length = WORKLOAD_DEVICE(float, documents);
	int *place = WORKLOAD_DEVICE(int, documents);
	for (int i = 0; i < documents; i++)
		for (int k = 0; k < terms; k++)
			vector[(size_t)i * pitch + k] = workload_unit(&w) + 1.0f / 1024; /* no vector without length */
	WORKLOAD_CUDA(cudaMemcpy(device_vector, vector, weights * sizeof *vector, cudaMemcpyHostToDevice));
	dim3 grid((documents + SIDE - 1) / SIDE, (documents + OWN - 1) / OWN), block(SIDE, SIDE);

	workload_start(&w);
	map_count<<<mapreduce_blocks(documents), MAPREDUCE_THREADS>>>(place, documents);
	mapreduce_scan<int>(place, documents);
	measure_lengths<<<mapreduce_blocks((size_t)documents * 32), MAPREDUCE_THREADS>>>(device_vector, length,
	                                                                                documents, pitch);
	map_emit<<<grid, block>>>(device_vector, length, place, device_pair, documents, pitch);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(pair, device_pair, pairs * sizeof *pair, cudaMemcpyDeviceToHost));
	return workload_close(&w, check(vector, pair, documents, pitch));
}
