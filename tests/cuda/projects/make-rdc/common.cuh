template <class T> __device__ inline T apply(T x, T by, bool is_product)
{
	return is_product ? x * by : x + by;
}
