/*
 * A network of two convolutional and two full layers reads digits. One CTA per feature map (or neuron) and picture,
 * one thread per output; the CTAs of the full layers have one thread, which walks all inputs and its own weights.
 */
#include "../common/workload.h"

enum {
	SIDE = 29, /* of a picture */
	KERNEL = 5,
	TAPS = KERNEL * KERNEL,
	MAPS1 = 6,
	SIDE1 = (SIDE - KERNEL) / 2 + 1,
	MAPS2 = 50,
	SIDE2 = (SIDE1 - KERNEL) / 2 + 1,
	FEATURES = MAPS2 * SIDE2 * SIDE2,
	DIGITS = 10,
};

static struct workload_param param[] = {
	{"pictures", "pictures to read", 1, 6, 28, 1, 4096},
	{"hidden", "neurons of the third layer", 25, 100, 100, 1, 1000},
};

__host__ __device__ static inline float squash(float x)
{
	return 1.7159f * tanhf(0.66666667f * x);
}

/* Weights of a map: its bias, then the taps for each map it reads. */
__global__ void convolve(const float *in, const float *weight, float *out, int in_side, int in_maps)
{
	int map = blockIdx.x, picture = blockIdx.y, side = blockDim.x, x = threadIdx.x, y = threadIdx.y;
	const float *own = weight + map * (1 + in_maps * TAPS);
	float sum = own[0];
	for (int m = 0; m < in_maps; m++) {
		const float *corner = in + ((picture * in_maps + m) * in_side + 2 * y) * in_side + 2 * x;
#pragma unroll 1
		for (int t = 0; t < TAPS; t++)
			sum += own[1 + m * TAPS + t] * corner[t / KERNEL * in_side + t % KERNEL];
	}
	out[((picture * gridDim.x + map) * side + y) * side + x] = squash(sum);
}

__global__ void connect(const float *in, const float *weight, float *out, int inputs)
{
	int neuron = blockIdx.x, picture = blockIdx.y;
	const float *own = weight + neuron * (1 + inputs);
	float sum = own[0];
#pragma unroll 1
	for (int i = 0; i < inputs; i++)
		sum += own[1 + i] * in[picture * inputs + i];
	out[picture * gridDim.x + neuron] = squash(sum);
}

/* A layer is its input, its weights and its output; a full one has kernels as large as its input maps. */
struct layer {
	int in_maps, in_side, maps, side, kernel;
	float *weight, *device_weight, *device_out;
};

static size_t layer_weights(const struct layer *l)
{
	return (size_t)l->maps * (1 + l->in_maps * l->kernel * l->kernel);
}

static struct layer new_layer(struct workload *w, const struct layer *before, int maps, int side, int kernel,
                              int pictures)
{
	struct layer l = {before ? before->maps : 1, before ? before->side : SIDE, maps, side, kernel};
	size_t n = layer_weights(&l);
	int inputs = l.in_maps * kernel * kernel;
	l.weight = WORKLOAD_HOST(float, n);
	l.device_weight = WORKLOAD_DEVICE(float, n);
	l.device_out = WORKLOAD_DEVICE(float, (size_t)pictures * maps * side * side);
	for (size_t i = 0; i < n; i++)
		l.weight[i] = (2 * workload_unit(w) - 1) * sqrtf(3.0f / (float)inputs);
	WORKLOAD_CUDA(cudaMemcpy(l.device_weight, l.weight, n * sizeof(float), cudaMemcpyHostToDevice));
	return l;
}

static double weigh(const struct layer *l, const float *in, int map, int y, int x)
{
	const float *weight = l->weight + (size_t)map * (1 + l->in_maps * l->kernel * l->kernel);
	double sum = *weight++;
	for (int m = 0; m < l->in_maps; m++)
		for (int ky = 0; ky < l->kernel; ky++)
			for (int kx = 0; kx < l->kernel; kx++)
				sum += (double)*weight++ *
				       in[(m * l->in_side + 2 * y + ky) * l->in_side + 2 * x + kx];
	return sum;
}

/* One picture through all layers. */
static void reference(const struct layer *layer, int layers, const float *picture, float *out)
{
	float *in = WORKLOAD_HOST(float, SIDE * SIDE);
	memcpy(in, picture, SIDE * SIDE * sizeof(float));
	for (const struct layer *l = layer; l < layer + layers; l++) {
		float *next = WORKLOAD_HOST(float, l->maps * l->side * l->side), *at = next;
		for (int map = 0; map < l->maps; map++)
			for (int y = 0; y < l->side; y++)
				for (int x = 0; x < l->side; x++)
					*at++ = (float)(1.7159 * tanh(weigh(l, in, map, y, x) / 1.5));
		free(in);
		in = next;
	}
	memcpy(out, in, DIGITS * sizeof(float));
	free(in);
}

/* Two strokes on paper, about where a hand would put them. */
static void draw(struct workload *w, float *picture)
{
	for (int stroke = 0; stroke < 2; stroke++) {
		int x = 6 + (int)workload_below(w, 17), y = 4 + (int)workload_below(w, 8);
		int lean = (int)workload_below(w, 3) - 1;
		for (int step = 0; step < 12; step++) {
			int column = x + lean * step / 2;
			picture[(y + step) * SIDE + column] = 1;
			picture[(y + step) * SIDE + column + 1] = 0.5f + workload_unit(w) / 2;
		}
	}
}

int main(int argc, char **argv)
{
	struct workload w =
	    workload_open("nn-ispass", "reads digits with a small network", param, 2, argc, argv);
	int pictures = (int)workload_value(&w, "pictures"), hidden = (int)workload_value(&w, "hidden");
	size_t pixels = (size_t)pictures * SIDE * SIDE, outs = (size_t)pictures * DIGITS;
	float *picture = WORKLOAD_HOST(float, pixels), *device_picture = WORKLOAD_DEVICE(float, pixels);
	float *got = WORKLOAD_HOST(float, outs), *want = WORKLOAD_HOST(float, outs);
	struct layer layer[4];
	layer[0] = new_layer(&w, NULL, MAPS1, SIDE1, KERNEL, pictures);
	layer[1] = new_layer(&w, &layer[0], MAPS2, SIDE2, KERNEL, pictures);
	layer[2] = new_layer(&w, &layer[1], hidden, 1, SIDE2, pictures);
	layer[3] = new_layer(&w, &layer[2], DIGITS, 1, 1, pictures);
	for (int p = 0; p < pictures; p++)
		draw(&w, picture + (size_t)p * SIDE * SIDE);
	WORKLOAD_CUDA(cudaMemcpy(device_picture, picture, pixels * sizeof(float), cudaMemcpyHostToDevice));

	workload_start(&w);
	convolve<<<dim3(MAPS1, pictures), dim3(SIDE1, SIDE1)>>>(device_picture, layer[0].device_weight,
	                                                        layer[0].device_out, SIDE, 1);
	convolve<<<dim3(MAPS2, pictures), dim3(SIDE2, SIDE2)>>>(layer[0].device_out, layer[1].device_weight,
	                                                        layer[1].device_out, SIDE1, MAPS1);
	connect<<<dim3(hidden, pictures), 1>>>(layer[1].device_out, layer[2].device_weight,
	                                       layer[2].device_out, FEATURES);
	connect<<<dim3(DIGITS, pictures), 1>>>(layer[2].device_out, layer[3].device_weight,
	                                       layer[3].device_out, hidden);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(got, layer[3].device_out, outs * sizeof(float), cudaMemcpyDeviceToHost));
	for (int p = 0; p < pictures; p++)
		reference(layer, 4, picture + (size_t)p * SIDE * SIDE, want + p * DIGITS);
	return workload_close(&w, workload_same_floats("out", got, want, outs, 1e-4));
}
