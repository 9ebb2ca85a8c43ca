/*
 * One training step of a perceptron with one hidden layer. CTAs of 16 x 16 threads take 16 inputs and all 16 hidden
 * units: forward sums products by a tree in shared memory, adjust moves the weights. The rest is on the host.
 */
#include "../common/workload.h"

enum { TILE = 16, HIDDEN = TILE, PITCH = HIDDEN + 1, TREE_STEPS = 4 };

static const float RATE = 0.3f, MOMENTUM = 0.3f;

static struct workload_param param[] = {
	{"inputs", "units of the input layer, a multiple of 16", 1024, 16384, 65536, TILE, 1 << 20},
	{"power", "1: the tree takes powers, as in CUDA; 0: it doubles, as in OpenCL", 1, 1, 1, 0, 1},
};

/* Row and column 0 of the weights belong to the biases. */
__device__ static inline int own_weight(void)
{
	return PITCH * (TILE * blockIdx.x + threadIdx.y + 1) + threadIdx.x + 1;
}

__device__ static inline void form_products(const float *input, const float *weight,
                                            float product[TILE][TILE], float value[TILE])
{
	int x = threadIdx.x, y = threadIdx.y;
	if (x == 0)
		value[y] = input[TILE * blockIdx.x + y + 1];
	__syncthreads();
	product[y][x] = weight[own_weight()];
	__syncthreads();
	product[y][x] *= value[y];
	__syncthreads();
}

/* partial[CTA * HIDDEN + unit]: what the 16 inputs of the CTA add to the unit. */
__device__ static inline void store_sums(float *partial, float product[TILE][TILE])
{
	if (threadIdx.x == 0)
		partial[blockIdx.x * HIDDEN + threadIdx.y] = product[0][threadIdx.y];
}

/* The CUDA original takes a power and a remainder at each step of the tree, and they cost more than the sums. */
__global__ void forward_by_power(const float *input, const float *weight, float *partial)
{
	__shared__ float value[TILE], product[TILE][TILE];
	unsigned y = threadIdx.y;
	float *own = &product[y][threadIdx.x];
	form_products(input, weight, product, value);
#pragma unroll 1
	for (int step = 1; step <= TREE_STEPS; step++) {
		unsigned span = (unsigned)__powf(2, (float)step);
		if (y % span == 0)
			*own += own[span / 2 * TILE];
		__syncthreads();
	}
	store_sums(partial, product);
}

__global__ void forward(const float *input, const float *weight, float *partial)
{
	__shared__ float value[TILE], product[TILE][TILE];
	unsigned y = threadIdx.y;
	float *own = &product[y][threadIdx.x];
	form_products(input, weight, product, value);
#pragma unroll 1
	for (unsigned span = 2; span <= TILE; span *= 2) {
		if ((y & (span - 1)) == 0)
			*own += own[span / 2 * TILE];
		__syncthreads();
	}
	store_sums(partial, product);
}

__global__ void adjust(const float *delta, const float *input, float *weight, float *last_change)
{
	int x = threadIdx.x + 1, y = TILE * blockIdx.x + threadIdx.y + 1, i = own_weight();
	weight[i] += RATE * delta[x] * input[y] + MOMENTUM * last_change[i];
	last_change[i] = RATE * delta[x] * input[y] + MOMENTUM * last_change[i];
	if (y == 1) { /* one CTA does the biases too */
		weight[x] += RATE * delta[x] + MOMENTUM * last_change[x];
		last_change[x] = RATE * delta[x] + MOMENTUM * last_change[x];
	}
}

static double squash(double sum)
{
	return 1 / (1 + exp(-sum));
}

/* How wrong each hidden unit was, given what they answer to: one output unit and its wanted value. */
static void hidden_deltas(const double *sum, const float *out_weight, double target, float *delta)
{
	double unit[PITCH], out = out_weight[0];
	for (int h = 1; h <= HIDDEN; h++) {
		unit[h] = squash(sum[h]);
		out += unit[h] * out_weight[h];
	}
	out = squash(out);
	for (int h = 1; h <= HIDDEN; h++)
		delta[h] =
		    (float)(unit[h] * (1 - unit[h]) * out * (1 - out) * (target - out) * out_weight[h]);
}

static void reference(const float *input, float *weight, float *change, const float *out_weight,
                      double target, int inputs)
{
	double sum[PITCH] = {};
	float delta[PITCH] = {};
	for (int i = 0; i <= inputs; i++)
		for (int h = 1; h <= HIDDEN; h++)
			sum[h] += (double)weight[i * PITCH + h] * input[i];
	hidden_deltas(sum, out_weight, target, delta);
	for (int i = 0; i <= inputs; i++)
		for (int h = 1; h <= HIDDEN; h++) {
			change[i * PITCH + h] = RATE * delta[h] * input[i] + MOMENTUM * change[i * PITCH + h];
			weight[i * PITCH + h] += change[i * PITCH + h];
		}
}

static void sum_partials(const float *partial, int blocks, const float *weight, double *sum)
{
	for (int h = 1; h <= HIDDEN; h++) {
		sum[h] = weight[h];
		for (int b = 0; b < blocks; b++)
			sum[h] += partial[b * HIDDEN + h - 1];
	}
}

int main(int argc, char **argv)
{
	struct workload w =
	    workload_open("backprop", "one training step of a perceptron", param, 2, argc, argv);
	int inputs = (int)workload_value(&w, "inputs"), blocks = inputs / TILE;
	if (inputs % TILE) {
		fprintf(stderr, "backprop: --inputs %d: a multiple of %d is wanted\n", inputs, TILE);
		return WORKLOAD_BAD_INPUT;
	}
	int weights = (inputs + 1) * PITCH, partials = blocks * HIDDEN;
	float *input = WORKLOAD_HOST(float, inputs + 1), *partial = WORKLOAD_HOST(float, partials);
	float *weight = WORKLOAD_HOST(float, weights), *got = WORKLOAD_HOST(float, weights);
	float *change = WORKLOAD_HOST(float, weights), *got_change = WORKLOAD_HOST(float, weights);
	float *device_input = WORKLOAD_DEVICE(float, inputs + 1),
	      *device_partial = WORKLOAD_DEVICE(float, partials);
	float *device_weight = WORKLOAD_DEVICE(float, weights),
	      *device_change = WORKLOAD_DEVICE(float, weights);
	float *device_delta = WORKLOAD_DEVICE(float, PITCH), out_weight[PITCH], delta[PITCH] = {};
	double sum[PITCH], target = 0.1;
	input[0] = 1;
	for (int i = 1; i <= inputs; i++)
		input[i] = workload_unit(&w);
	for (int i = 0; i < weights; i++) {
		weight[i] = (2 * workload_unit(&w) - 1) / sqrtf((float)inputs);
		change[i] = (2 * workload_unit(&w) - 1) / 16;
	}
	for (int h = 0; h < PITCH; h++)
		out_weight[h] = 2 * workload_unit(&w) - 1;
	WORKLOAD_CUDA(cudaMemcpy(device_input, input, (inputs + 1) * sizeof(float), cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_weight, weight, weights * sizeof(float), cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_change, change, weights * sizeof(float), cudaMemcpyHostToDevice));

	workload_start(&w);
	if (workload_value(&w, "power"))
		forward_by_power<<<blocks, dim3(TILE, TILE)>>>(device_input, device_weight, device_partial);
	else
		forward<<<blocks, dim3(TILE, TILE)>>>(device_input, device_weight, device_partial);
	workload_stop(&w);
	WORKLOAD_CUDA(cudaMemcpy(partial, device_partial, partials * sizeof(float), cudaMemcpyDeviceToHost));
	sum_partials(partial, blocks, weight, sum);
	hidden_deltas(sum, out_weight, target, delta);
	WORKLOAD_CUDA(cudaMemcpy(device_delta, delta, sizeof delta, cudaMemcpyHostToDevice));
	workload_start(&w);
	adjust<<<blocks, dim3(TILE, TILE)>>>(device_delta, device_input, device_weight, device_change);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(got, device_weight, weights * sizeof(float), cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(got_change, device_change, weights * sizeof(float), cudaMemcpyDeviceToHost));
	reference(input, weight, change, out_weight, target, inputs);
	return workload_close(&w, workload_same_floats("weight", got, weight, weights, 1e-6) &&
	                              workload_same_floats("change", got_change, change, weights, 1e-6));
}
