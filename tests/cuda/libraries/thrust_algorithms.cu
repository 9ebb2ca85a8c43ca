/*
 * Thrust's algorithms against the C++ library's: sort, sort_by_key, reduce, scans, transform, unique, reduce_by_key.
 * One type of element each: what an algorithm takes to compile is most of the time of this test.
 * needs: /usr/include/thrust/version.h
 */
#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

enum { N = 3000 };

static int failures;

static void check(bool holds, const char *claim)
{
	if (holds)
		return;
	failures++;
	printf("FAIL %s\n", claim);
}

static std::vector<int> numbers(unsigned int seed, int below)
{
	std::vector<int> v(N);
	for (int &x : v)
		x = (int)((seed = seed * 1664525u + 1013904223u) >> 8) % below;
	return v;
}

template <class T> static bool is_same(const thrust::device_vector<T> &got, const std::vector<T> &want)
{
	thrust::host_vector<T> host = got;
	return host.size() == want.size() && std::equal(want.begin(), want.end(), host.begin());
}

struct square_plus {
	int add;
	__host__ __device__ int operator()(int x) const
	{
		return x * x + add;
	}
};

static void sorts()
{
	std::vector<int> want = numbers(1, 1000), keys = numbers(2, 500);
	thrust::device_vector<int> d(want.begin(), want.end());
	thrust::sort(d.begin(), d.end());
	std::sort(want.begin(), want.end());
	check(is_same(d, want), "sort");

	std::vector<int> order(N);
	std::iota(order.begin(), order.end(), 0);
	thrust::device_vector<int> dk(keys.begin(), keys.end()), dv(order.begin(), order.end());
	thrust::sort_by_key(dk.begin(), dk.end(), dv.begin());
	std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
	check(is_same(dv, order), "sort_by_key");
}

static void sums()
{
	std::vector<int> v = numbers(3, 100), scanned(N);
	thrust::device_vector<int> d(v.begin(), v.end()), out(N);
	check(thrust::reduce(d.begin(), d.end()) == std::accumulate(v.begin(), v.end(), 0), "reduce");
	check(thrust::reduce(d.begin(), d.end(), -1, thrust::maximum<int>()) == *std::max_element(v.begin(), v.end()),
	      "reduce with an operator");
	thrust::inclusive_scan(d.begin(), d.end(), out.begin());
	std::partial_sum(v.begin(), v.end(), scanned.begin());
	check(is_same(out, scanned), "inclusive_scan");
	thrust::exclusive_scan(d.begin(), d.end(), out.begin(), 7);
	for (int i = N; i-- > 0;)
		scanned[(size_t)i] = 7 + (i ? scanned[(size_t)i - 1] : 0);
	check(is_same(out, scanned), "exclusive_scan");
	check(thrust::count(d.begin(), d.end(), 42) == std::count(v.begin(), v.end(), 42), "count");
}

static void others()
{
	std::vector<int> v = numbers(4, 4), want = v;
	thrust::device_vector<int> d(v.begin(), v.end()), out(N);
	thrust::transform(d.begin(), d.end(), out.begin(), square_plus{3});
	std::transform(v.begin(), v.end(), want.begin(), square_plus{3});
	check(is_same(out, want), "transform");
	thrust::transform(d.begin(), d.end(), thrust::counting_iterator<int>(0), out.begin(), thrust::multiplies<int>());
	for (int i = 0; i < N; i++)
		want[(size_t)i] = v[(size_t)i] * i;
	check(is_same(out, want), "transform of two ranges");
	want = v;
	want.erase(std::unique(want.begin(), want.end()), want.end());
	out = d;
	out.erase(thrust::unique(out.begin(), out.end()), out.end());
	check(is_same(out, want), "unique");

	std::sort(v.begin(), v.end());
	thrust::sort(d.begin(), d.end());
	thrust::device_vector<int> keys(4), counts(4);
	auto ends = thrust::reduce_by_key(d.begin(), d.end(), thrust::constant_iterator<int>(1), keys.begin(), counts.begin());
	bool right = ends.first - keys.begin() == 4;
	for (int k = 0; k < 4; k++)
		right = right && keys[k] == k && counts[k] == std::count(v.begin(), v.end(), k);
	check(right, "reduce_by_key");
}

int main()
{
	sorts();
	sums();
	others();
	puts(failures ? "thrust_algorithms FAIL" : "thrust_algorithms PASS");
	return failures != 0;
}
