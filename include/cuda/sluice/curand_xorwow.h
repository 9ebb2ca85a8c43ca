/* XORWOW: xorshift of 160 bits and a counter. Part of curand_kernel.h. */

#include "curand_jumps.h"

struct curandStateXORWOW {
	unsigned int d, v[5];
	int boxmuller_flag, boxmuller_flag_double;
	float boxmuller_extra;
	double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

QUALIFIERS void sluice_xorwow_shift(unsigned int *v)
{
	unsigned int t = v[0] ^ (v[0] >> 2);
	v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
	v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}

QUALIFIERS unsigned int curand(curandStateXORWOW_t *state)
{
	sluice_xorwow_shift(state->v);
	state->d += 362437;
	return state->v[4] + state->d;
}

/* 2^(first + k) steps for every bit k of n: the states that the polynomial names, added. */
static __device__ __noinline__ void sluice_xorwow_jump(unsigned int *v, unsigned long long n, int first)
{
	for (; n; n >>= 1, first++) {
		if (!(n & 1))
			continue;
		unsigned int sum[5] = {0, 0, 0, 0, 0};
		for (int i = 0; i < 160; i++) {
			if (sluice_xorwow_jumps[first][i / 32] >> (i % 32) & 1)
				for (int k = 0; k < 5; k++)
					sum[k] ^= v[k];
			sluice_xorwow_shift(v);
		}
		for (int k = 0; k < 5; k++)
			v[k] = sum[k];
	}
}

QUALIFIERS void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
	sluice_xorwow_jump(state->v, n, 0);
	state->d += 362437u * (unsigned int)n;
}

/* By 2^67 each; the counter's period divides that. */
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
	sluice_xorwow_jump(state->v, n, 67);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateXORWOW_t *state)
{
	unsigned int t0 = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
	unsigned int t1 = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
	state->d = 6615241 + t1 + t0;
	state->v[0] = 123456789u + t0;
	state->v[1] = 362436069u ^ t0;
	state->v[2] = 521288629u + t1;
	state->v[3] = 88675123u ^ t1;
	state->v[4] = 5783321u + t0;
	skipahead_sequence(subsequence, state);
	skipahead(offset, state);
	state->boxmuller_flag = state->boxmuller_flag_double = 0;
	state->boxmuller_extra = 0;
	state->boxmuller_extra_double = 0;
}
