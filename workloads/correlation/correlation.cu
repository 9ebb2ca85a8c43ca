/*
 * Correlation matrix of the columns of a data set. A thread owns a variable (a column) for the means, the
 * deviations and its row of the result, and an observation of a variable while the data are normalised.
 */
#include "../common/workload.h"

enum { THREADS = 256, COLUMNS_PER_CTA = 32, ROWS_PER_CTA = 8 };

/* The host checks every row as long as this many products suffice, and evenly spread rows beyond. */
static const size_t CHECKED_PRODUCTS = 1u << 28;

/* Variables that deviate less count as constant. */
#define LEAST_DEVIATION 1e-3f

static struct workload_param param[] = {
	{"points", "observations: rows of the data", 128, 256, 512, 1, 8192},
	{"variables", "columns of the data", 128, 256, 512, 1, 8192},
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

__global__ void find_deviations(const float *data, const float *mean, float *deviation, int points, int variables)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	if (j >= variables)
		return;
	deviation[j] = 0;
#pragma unroll 1
	for (int i = 0; i < points; i++)
		deviation[j] += (data[i * variables + j] - mean[j]) * (data[i * variables + j] - mean[j]);
	float root = sqrtf(deviation[j] / points);
	deviation[j] = root > LEAST_DEVIATION ? root : 1.0f;
}

/* Afterwards the product of two columns is their correlation. */
__global__ void normalise(float *data, const float *mean, const float *deviation, int points, int variables)
{
	int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= points || j >= variables)
		return;
	data[i * variables + j] = (data[i * variables + j] - mean[j]) / (sqrtf((float)points) * deviation[j]);
}

/* Both columns are read along their lines: lane l pairs column j with column j + distance. */
__global__ void correlate(const float *data, float *correlation, int points, int variables)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	if (j >= variables)
		return;
	correlation[j * variables + j] = 1.0f;
#pragma unroll 1
	for (int other = j + 1; other < variables; other++) {
		float sum = 0;
#pragma unroll 1
		for (int i = 0; i < points; i++)
			sum += data[i * variables + j] * data[i * variables + other];
		correlation[j * variables + other] = sum;
		correlation[other * variables + j] = sum;
	}
}

/* Centres the column of `data` at stride `variables` and divides it by its length. */
static void normalise_column(const float *data, double *column, size_t points, size_t variables)
{
	double mean = 0, square = 0;
	for (size_t i = 0; i < points; i++)
		mean += data[i * variables] / (double)points;
	for (size_t i = 0; i < points; i++) {
		column[i] = data[i * variables] - mean;
		square += column[i] * column[i];
	}
	double length = sqrt(square);
	if (length <= LEAST_DEVIATION * sqrt((double)points))
		length = sqrt((double)points);
	for (size_t i = 0; i < points; i++)
		column[i] /= length;
}

static bool check(const float *data, const float *correlation, size_t points, size_t variables)
{
	double *column = WORKLOAD_HOST(double, points * variables); /* transposed: one after the other */
	float *want = WORKLOAD_HOST(float, variables);
	for (size_t j = 0; j < variables; j++)
		normalise_column(data + j, column + j * points, points, variables);
	size_t affordable = CHECKED_PRODUCTS / (points * variables) + 1;
	size_t step = (variables + affordable - 1) / affordable;
	bool same = true;
	for (size_t j = 0; same && j < variables; j += step) {
		for (size_t other = 0; other < variables; other++) {
			double sum = 0;
			for (size_t i = 0; i < points; i++)
				sum += column[j * points + i] * column[other * points + i];
			want[other] = other == j ? 1.0f : (float)sum;
		}
		same = workload_same_floats("row of the result", correlation + j * variables, want, variables, 1e-4);
	}
	free(column);
	free(want);
	return same;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("correlation", "correlation matrix of columns", param, 2, argc, argv);
	int points = (int)workload_value(&w, "points"), variables = (int)workload_value(&w, "variables");
	size_t cells = (size_t)points * variables, pairs = (size_t)variables * variables;
	float *data = WORKLOAD_HOST(float, cells), *correlation = WORKLOAD_HOST(float, pairs);
	float *device_data = WORKLOAD_DEVICE(float, cells), *device_correlation = WORKLOAD_DEVICE(float, pairs);
	float *mean = WORKLOAD_DEVICE(float, variables), *deviation = WORKLOAD_DEVICE(float, variables);
	for (size_t i = 0; i < cells; i++)
		data[i] = workload_unit(&w);
	WORKLOAD_CUDA(cudaMemcpy(device_data, data, cells * sizeof *data, cudaMemcpyHostToDevice));
	int ctas = (variables + THREADS - 1) / THREADS;
	dim3 tile(COLUMNS_PER_CTA, ROWS_PER_CTA);
	dim3 tiles((variables + tile.x - 1) / tile.x, (points + tile.y - 1) / tile.y);

	workload_start(&w);
	find_means<<<ctas, THREADS>>>(device_data, mean, points, variables);
	find_deviations<<<ctas, THREADS>>>(device_data, mean, deviation, points, variables);
	normalise<<<tiles, tile>>>(device_data, mean, deviation, points, variables);
	correlate<<<ctas, THREADS>>>(device_data, device_correlation, points, variables);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(correlation, device_correlation, pairs * sizeof *correlation, cudaMemcpyDeviceToHost));
	return workload_close(&w, check(data, correlation, points, variables));
}
