/* A small generator of our own, alike on both sides: xorshift with a multiplier. */
#pragma once

class Rng
{
	unsigned long long state;

      public:
	__host__ __device__ explicit Rng(unsigned seed) : state(seed * 2862933555777941757ULL + 3037000493ULL)
	{
	}
	__host__ __device__ unsigned next()
	{
		state ^= state >> 12;
		state ^= state << 25;
		state ^= state >> 27;
		return (unsigned)(state * 2685821657736338717ULL >> 32);
	}
	__host__ __device__ double uniform()
	{
		return (next() + 0.5) * (1.0 / 4294967296.0);
	}
};
