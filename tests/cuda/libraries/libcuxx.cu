/* libcu++: cuda::std in kernels, and atomics with scopes. (needs: /usr/include/cuda/std/version ) */
#include <cstdio>

#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

__global__ void sums(cuda::atomic<int, cuda::thread_scope_device> *total, cuda::std::complex<float> *out)
{
	cuda::std::array<int, 4> parts = {1, 2, 3, 4};
	cuda::std::tuple<int, float> pair(threadIdx.x, 0.5f);
	static_assert(cuda::std::is_same<decltype(parts)::value_type, int>::value, "type traits");
	int sum = 0;
	for (int x : parts)
		sum += x;
	total->fetch_add(sum + cuda::std::get<0>(pair), cuda::std::memory_order_relaxed);
	__shared__ cuda::atomic<unsigned int, cuda::thread_scope_block> arrived;
	if (threadIdx.x == 0)
		arrived.store(0);
	__syncthreads();
	arrived++;
	__syncthreads();
	if (threadIdx.x == 0)
		out[blockIdx.x] = cuda::std::complex<float>((float)arrived.load(), 2.0f) * cuda::std::complex<float>(0.0f, 1.0f);
}

int main()
{
	cuda::atomic<int, cuda::thread_scope_device> *total;
	cuda::std::complex<float> *out;
	cudaMallocManaged(&total, sizeof *total);
	cudaMallocManaged(&out, 2 * sizeof *out);
	total->store(0);
	sums<<<2, 64>>>(total, out);
	cudaDeviceSynchronize();
	bool right = total->load() == 2 * 64 * 10 + 2 * (63 * 64 / 2) && out[1].real() == -2.0f && out[1].imag() == 64.0f;
	puts(right ? "libcuxx PASS" : "libcuxx FAIL");
	return !right;
}
