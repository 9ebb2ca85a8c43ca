/* CUB: what blocks and warps do together in a kernel, and the primitives over the whole device. (needs: /usr/include/cub/cub.cuh ) */
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include <cub/cub.cuh>

enum { THREADS = 128, ITEMS = 4, TILE = THREADS * ITEMS, N = 2500 };

static int failures;

static void check(bool holds, const char *claim)
{
	if (holds)
		return;
	failures++;
	printf("FAIL %s\n", claim);
}

static std::vector<int> numbers(unsigned int seed, size_t count, int below)
{
	std::vector<int> v(count);
	for (int &x : v)
		x = (int)((seed = seed * 1664525u + 1013904223u) >> 8) % below;
	return v;
}

template <class T> struct device_array {
	T *at;
	size_t count;

	explicit device_array(size_t n) : count(n)
	{
		cudaMalloc(&at, n * sizeof(T));
	}
	explicit device_array(const std::vector<T> &v) : device_array(v.size())
	{
		cudaMemcpy(at, v.data(), count * sizeof(T), cudaMemcpyHostToDevice);
	}
	~device_array()
	{
		cudaFree(at);
	}
	std::vector<T> get(size_t n) const
	{
		std::vector<T> v(n);
		cudaMemcpy(v.data(), at, n * sizeof(T), cudaMemcpyDeviceToHost);
		return v;
	}
};

/* ---- in blocks --------------------------------------------------------------------------------------------- */

__global__ void tile(const int *in, int *sorted, int *scanned, int *sums, int *warp_sums)
{
	typedef cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE> Load;
	typedef cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_TRANSPOSE> Store;
	typedef cub::BlockRadixSort<int, THREADS, ITEMS> Sort;
	typedef cub::BlockScan<int, THREADS> Scan;
	typedef cub::BlockReduce<int, THREADS> Reduce;
	typedef cub::WarpReduce<int> Warp;
	__shared__ union {
		typename Load::TempStorage load;
		typename Store::TempStorage store;
		typename Sort::TempStorage sort;
		typename Scan::TempStorage scan;
		typename Reduce::TempStorage reduce;
		typename Warp::TempStorage warp[THREADS / 32];
	} shared;
	int x[ITEMS], y[ITEMS], offset = blockIdx.x * TILE;
	Load(shared.load).Load(in + offset, x);
	__syncthreads();
	Scan(shared.scan).ExclusiveSum(x, y);
	__syncthreads();
	Store(shared.store).Store(scanned + offset, y);
	__syncthreads();
	int total = Reduce(shared.reduce).Sum(x);
	if (threadIdx.x == 0)
		sums[blockIdx.x] = total;
	__syncthreads();
	int warp_total = Warp(shared.warp[threadIdx.x / 32]).Sum(x[0]);
	if (threadIdx.x % 32 == 0)
		warp_sums[blockIdx.x * (THREADS / 32) + threadIdx.x / 32] = warp_total;
	__syncthreads();
	Sort(shared.sort).Sort(x);
	__syncthreads();
	Store(shared.store).Store(sorted + offset, x);
}

static void blocks()
{
	enum { BLOCKS = 3 };
	std::vector<int> v = numbers(1, BLOCKS * TILE, 1000);
	device_array<int> in(v), sorted(v.size()), scanned(v.size()), sums(BLOCKS), warps(BLOCKS * THREADS / 32);
	tile<<<BLOCKS, THREADS>>>(in.at, sorted.at, scanned.at, sums.at, warps.at);
	std::vector<int> s = sorted.get(v.size()), p = scanned.get(v.size()), t = sums.get(BLOCKS);
	std::vector<int> w = warps.get(BLOCKS * THREADS / 32);
	bool sums_right = true, scans_right = true, warps_right = true;
	for (int b = 0; b < BLOCKS; b++) {
		int sum = 0;
		for (int i = 0; i < TILE; i++) {
			scans_right = scans_right && p[(size_t)(b * TILE + i)] == sum;
			sum += v[(size_t)(b * TILE + i)];
		}
		sums_right = sums_right && t[(size_t)b] == sum;
		for (int k = 0; k < THREADS / 32; k++) {
			int part = 0;
			for (int i = 0; i < 32; i++)
				part += v[(size_t)(b * TILE + (k * 32 + i) * ITEMS)];
			warps_right = warps_right && w[(size_t)(b * THREADS / 32 + k)] == part;
		}
		std::sort(v.begin() + b * TILE, v.begin() + (b + 1) * TILE);
	}
	check(s == v, "BlockRadixSort");
	check(scans_right, "BlockScan");
	check(sums_right, "BlockReduce");
	check(warps_right, "WarpReduce");
}

/* ---- over the device: each primitive is asked for its room first ------------------------------------------------ */

template <class Call> static void with_room(Call call)
{
	size_t bytes = 0;
	call((void *)NULL, bytes);
	device_array<char> room(bytes);
	check(call((void *)room.at, bytes) == cudaSuccess, "a device primitive runs");
}

static void device()
{
	std::vector<int> v = numbers(2, N, 100000), want = v;
	device_array<int> in(v), out(N), one(1), index(v.size());
	with_room([&](void *room, size_t &bytes) { return cub::DeviceReduce::Sum(room, bytes, in.at, one.at, (int)N); });
	check(one.get(1)[0] == std::accumulate(v.begin(), v.end(), 0), "DeviceReduce::Sum");
	with_room([&](void *room, size_t &bytes) { return cub::DeviceScan::InclusiveSum(room, bytes, in.at, out.at, (int)N); });
	std::partial_sum(v.begin(), v.end(), want.begin());
	check(out.get(N) == want, "DeviceScan::InclusiveSum");

	std::vector<int> order(N);
	std::iota(order.begin(), order.end(), 0);
	device_array<int> values(order), keys(N);
	with_room([&](void *room, size_t &bytes) {
		return cub::DeviceRadixSort::SortPairs(room, bytes, in.at, keys.at, values.at, out.at, (int)N);
	});
	std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return v[(size_t)a] < v[(size_t)b]; });
	check(out.get(N) == order, "DeviceRadixSort::SortPairs");

	std::vector<float> samples(N);
	std::vector<int> bins(16), want_bins(16);
	for (int i = 0; i < N; i++)
		samples[(size_t)i] = (float)(v[(size_t)i] % 160) / 10, want_bins[(size_t)(v[(size_t)i] % 160 / 10)]++;
	device_array<float> levels(samples);
	device_array<int> histogram(16);
	with_room([&](void *room, size_t &bytes) {
		return cub::DeviceHistogram::HistogramEven(room, bytes, levels.at, histogram.at, 17, 0.0f, 16.0f, (int)N);
	});
	check(histogram.get(16) == want_bins, "DeviceHistogram::HistogramEven");
	std::vector<int> small = numbers(3, N, 3);
	device_array<int> runs(small), kept(N);
	with_room([&](void *room, size_t &bytes) {
		return cub::DeviceSelect::Unique(room, bytes, runs.at, kept.at, one.at, (int)N);
	});
	small.erase(std::unique(small.begin(), small.end()), small.end());
	check(one.get(1)[0] == (int)small.size() && kept.get(small.size()) == small, "DeviceSelect::Unique");
}

int main()
{
	blocks();
	device();
	puts(failures ? "cub_primitives FAIL" : "cub_primitives PASS");
	return failures != 0;
}
