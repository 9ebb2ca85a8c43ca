/* Streams run in order; events time them; asynchronous copies, callbacks through host functions, default streams. */
#include "check.h"

enum { N = 1 << 12 };

__global__ void step(int *a, int factor, int term)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	a[i] = a[i] * factor + term;
}

static void CUDART_CB count_calls(void *data)
{
	++*(int *)data;
}

int main(void)
{
	enum { STREAMS = 3 };
	cudaStream_t stream[STREAMS];
	cudaEvent_t begin, end, untimed;
	int *host[STREAMS], *device[STREAMS], calls = 0;
	static int want[N];
	CUDA(cudaEventCreate(&begin), cudaEventCreate(&end),
	     cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
	for (int s = 0; s < STREAMS; s++) {
		CUDA(s == 1 ? cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking)
		            : cudaStreamCreate(&stream[s]),
		     cudaMallocHost((void **)&host[s], N * sizeof(int)),
		     cudaMalloc(&device[s], N * sizeof(int)));
		for (int i = 0; i < N; i++)
			host[s][i] = i + s;
	}
	CUDA(cudaEventRecord(begin, stream[0]));
	for (int s = 0; s < STREAMS; s++) {
		CUDA(cudaMemcpyAsync(device[s], host[s], N * sizeof(int), cudaMemcpyHostToDevice, stream[s]));
		step<<<N / 256, 256, 0, stream[s]>>>(device[s], 3, s);
		step<<<N / 256, 256, 0, stream[s]>>>(device[s], 5, 1);
		CUDA(cudaMemcpyAsync(host[s], device[s], N * sizeof(int), cudaMemcpyDeviceToHost, stream[s]),
		     cudaLaunchHostFunc(stream[s], count_calls, &calls), cudaStreamSynchronize(stream[s]));
	}
	CUDA(cudaEventRecord(end, stream[0]), cudaEventRecord(untimed, stream[1]),
	     cudaStreamWaitEvent(stream[2], untimed, 0), cudaEventSynchronize(end), cudaDeviceSynchronize());
	check_equal("host functions called", calls, STREAMS);
	check_equal("a finished event", cudaEventQuery(end), cudaSuccess);
	check_equal("an idle stream", cudaStreamQuery(stream[1]), cudaSuccess);
	for (int s = 0; s < STREAMS; s++) {
		for (int i = 0; i < N; i++)
			want[i] = ((i + s) * 3 + s) * 5 + 1;
		check_same("stream in order", host[s], want, sizeof *want, N);
	}
	float ms = -1;
	CUDA(cudaEventElapsedTime(&ms, begin, end));
	check_that("elapsed time is not negative", ms >= 0 && ms < 60000);
	check_equal("no time of an untimed event", cudaEventElapsedTime(&ms, begin, untimed),
	            cudaErrorInvalidResourceHandle);
	cudaGetLastError();
	step<<<N / 256, 256, 0, cudaStreamPerThread>>>(device[0], 1, 1);
	CUDA(cudaStreamSynchronize(cudaStreamPerThread));
	for (int s = 0; s < STREAMS; s++) {
		CUDA(cudaStreamDestroy(stream[s]), cudaFreeHost(host[s]), cudaFree(device[s]));
	}
	CUDA(cudaEventDestroy(begin), cudaEventDestroy(end), cudaEventDestroy(untimed));
	return check_finish("streams_events");
}
