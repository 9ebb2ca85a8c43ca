/*
 * Covariance matrix of the columns of a data set. A thread owns a variable (a column) for the means and its
 * row of the result, whose sums live in memory, and an observation of a variable while the data are centred.
 */
#include "../common/workload.h"

enum { THREADS = 256, COLUMNS_PER_CTA = 32, ROWS_PER_CTA = 8 };

/* The host checks every row as long as this many products suffice, and evenly spread rows beyond. */
static const size_t CHECKED_PRODUCTS = 1u << 28;

static struct workload_param param[] = {
	{"points", "observations: rows of the data", 64, 256, 1024, 1, 8192},
	{"variables", "columns of the data", 96, 256, 1024, 1, 8192},
};

__global__ void find_means(const float *data, float *mean, int points, int variables)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	if (j >= variables)
		return;
	mean[j] = 0;
#pragma unroll 1
	for (int i = 0; i < points; i++)
		mean[j] += data[i * variables + j];
	mean[j] /= points;
}

__global__ void centre(float *data, const float *mean, int points, int variables)
{
	int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < points && j < variables)
		data[i * variables + j] -= mean[j];
}

/* The data are read along their lines; the sums of a warp are a row apart and read and written 32 lines at a time. */
__global__ void covary(const float *data, float *covariance, int points, int variables)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	if (j >= variables)
		return;
#pragma unroll 1
	for (int other = j; other < variables; other++) {
		covariance[j * variables + other] = 0;
#pragma unroll 1
		for (int i = 0; i < points; i++)
			covariance[j * variables + other] += data[i * variables + j] * data[i * variables + other];
		covariance[other * variables + j] = covariance[j * variables + other];
	}
}

static void centre_column(const float *data, double *column, size_t points, size_t variables)
{
	double mean = 0;
	for (size_t i = 0; i < points; i++)
		mean += data[i * variables] / (double)points;
	for (size_t i = 0; i < points; i++)
		column[i] = data[i * variables] - mean;
}

static bool check(const float *data, const float *covariance, size_t points, size_t variables)
{
	double *column = WORKLOAD_HOST(double, points * variables); /* transposed: one after the other */
	float *want = WORKLOAD_HOST(float, variables);
	for (size_t j = 0; j < variables; j++)
		centre_column(data + j, column + j * points, points, variables);
	size_t affordable = CHECKED_PRODUCTS / (points * variables) + 1;
	size_t step = (variables + affordable - 1) / affordable;
	bool same = true;
	for (size_t j = 0; same && j < variables; j += step) {
		for (size_t other = 0; other < variables; other++) {
			double sum = 0;
			for (size_t i = 0; i < points; i++)
				sum += column[j * points + i] * column[other * points + i];
			want[other] = (float)sum;
		}
		same = workload_same_floats("row of the covariance", covariance + j * variables, want, variables, 1e-3);
	}
	free(column);
	free(want);
	return same;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("covariance", "covariance matrix of columns", param, 2, argc, argv);
	int points = (int)workload_value(&w, "points"), variables = (int)workload_value(&w, "variables");
	size_t cells = (size_t)points * variables, pairs = (size_t)variables * variables;
	float *data = WORKLOAD_HOST(float, cells), *covariance = WORKLOAD_HOST(float, pairs);
	float *device_data = WORKLOAD_DEVICE(float, cells), *device_covariance = WORKLOAD_DEVICE(float, pairs);
	float *mean = WORKLOAD_DEVICE(float, variables);
	for (size_t i = 0; i < cells; i++)
		data[i] = workload_unit(&w);
	WORKLOAD_CUDA(cudaMemcpy(device_data, data, cells * sizeof *data, cudaMemcpyHostToDevice));
	int ctas = (variables + THREADS - 1) / THREADS;
	dim3 tile(COLUMNS_PER_CTA, ROWS_PER_CTA);
	dim3 tiles((variables + tile.x - 1) / tile.x, (points + tile.y - 1) / tile.y);

	workload_start(&w);
	find_means<<<ctas, THREADS>>>(device_data, mean, points, variables);
	centre<<<tiles, tile>>>(device_data, mean, points, variables);
	covary<<<ctas, THREADS>>>(device_data, device_covariance, points, variables);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(covariance, device_covariance, pairs * sizeof *covariance, cudaMemcpyDeviceToHost));
	return workload_close(&w, check(data, covariance, points, variables));
}
