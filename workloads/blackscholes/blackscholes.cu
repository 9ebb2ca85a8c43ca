/* Prices of European options by the Black-Scholes formula; a grid of fixed size strides over all options. */
#include "../common/workload.h"

enum { THREADS = 128, CTAS = 480 };
static const float RATE = 0.02f, VOLATILITY = 0.30f;

static struct workload_param param[] = {
	{"options", "options", 16384, 1 << 20, 4000000, 1, 1 << 28},
	{"iterations", "times that all are priced", 1, 1, 1, 1, 1000},
};

/* The normal distribution, by the polynomial 26.2.17 of Abramowitz and Stegun. */
static __device__ float normal(float d)
{
	float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
	float poly = 1.330274429f;
	poly = poly * k - 1.821255978f;
	poly = poly * k + 1.781477937f;
	poly = poly * k - 0.356563782f;
	poly = poly * k + 0.31938153f;
	float tail = 0.39894228f * __expf(-0.5f * d * d) * poly * k;
	return d > 0 ? 1.0f - tail : tail;
}

struct options {
	float *price, *strike, *years; /* read */
	float *call, *put;             /* written */
};

__global__ void price_options(struct options o, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float price = o.price[i], strike = o.strike[i], years = o.years[i];
		float deviation = VOLATILITY * sqrtf(years);
		float d1 = (__logf(price / strike) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * years) / deviation;
		float n1 = normal(d1), n2 = normal(d1 - deviation);
		float discounted = strike * __expf(-RATE * years);
		o.call[i] = price * n1 - discounted * n2;
		o.put[i] = discounted * (1.0f - n2) - price * (1.0f - n1);
	}
}

static double exact_normal(double d)
{
	return 0.5 * erfc(-d * sqrt(0.5));
}

static bool check(const struct options *o, size_t n)
{
	bool same = true;
	for (size_t i = 0; i < n && same; i++) {
		double price = o->price[i], strike = o->strike[i], years = o->years[i], volatility = VOLATILITY;
		double d1 = log(price / strike) + (RATE + 0.5 * volatility * volatility) * years;
		d1 /= volatility * sqrt(years);
		double d2 = d1 - volatility * sqrt(years), discounted = strike * exp(-RATE * years);
		float call = (float)(price * exact_normal(d1) - discounted * exact_normal(d2));
		float put = (float)(discounted * exact_normal(-d2) - price * exact_normal(-d1));
		same = workload_same_floats("call", o->call + i, &call, 1, 1e-4) &&
		       workload_same_floats("put", o->put + i, &put, 1, 1e-4);
	}
	return same;
}

static float between(struct workload *w, float low, float high)
{
	return low + (high - low) * workload_unit(w);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("blackscholes", "prices of European options", param, 2, argc, argv);
	size_t n = (size_t)workload_value(&w, "options"), bytes = n * sizeof(float);
	long long iterations = workload_value(&w, "iterations");
	struct options host = {WORKLOAD_HOST(float, n), WORKLOAD_HOST(float, n), WORKLOAD_HOST(float, n),
	                       WORKLOAD_HOST(float, n), WORKLOAD_HOST(float, n)};
	struct options device = {WORKLOAD_DEVICE(float, n), WORKLOAD_DEVICE(float, n), WORKLOAD_DEVICE(float, n),
	                         WORKLOAD_DEVICE(float, n), WORKLOAD_DEVICE(float, n)};
	for (size_t i = 0; i < n; i++) {
		host.price[i] = between(&w, 5, 30);
		host.strike[i] = between(&w, 1, 100);
		host.years[i] = between(&w, 0.25f, 10);
	}
	WORKLOAD_CUDA(cudaMemcpy(device.price, host.price, bytes, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device.strike, host.strike, bytes, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device.years, host.years, bytes, cudaMemcpyHostToDevice));

	workload_start(&w);
	for (long long i = 0; i < iterations; i++)
		price_options<<<CTAS, THREADS>>>(device, (int)n);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(host.call, device.call, bytes, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(host.put, device.put, bytes, cudaMemcpyDeviceToHost));
	return workload_close(&w, check(&host, n));
}
