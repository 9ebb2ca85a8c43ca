/* MRG32k3a (L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number generators",
   1999). Part of curand_kernel.h. */

struct curandStateMRG32k3a {
	unsigned int s1[3], s2[3];
	int boxmuller_flag, boxmuller_flag_double;
	float boxmuller_extra;
	double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#define SLUICE_MRG_M1 4294967087ull
#define SLUICE_MRG_M2 4294944443ull

/* One of 1 to m1, as a double counts it. */
QUALIFIERS unsigned long long sluice_mrg_step(curandStateMRG32k3a_t *state)
{
	unsigned int *s1 = state->s1, *s2 = state->s2;
	unsigned long long p1 = (1403580ull * s1[1] + 810728ull * (SLUICE_MRG_M1 - s1[0])) % SLUICE_MRG_M1;
	unsigned long long p2 = (527612ull * s2[2] + 1370589ull * (SLUICE_MRG_M2 - s2[0])) % SLUICE_MRG_M2;
	s1[0] = s1[1], s1[1] = s1[2], s1[2] = (unsigned int)p1;
	s2[0] = s2[1], s2[1] = s2[2], s2[2] = (unsigned int)p2;
	return p1 <= p2 ? p1 + SLUICE_MRG_M1 - p2 : p1 - p2;
}

QUALIFIERS unsigned int curand(curandStateMRG32k3a_t *state)
{
	return (unsigned int)((double)sluice_mrg_step(state) * 1.000000048662);
}

/* c = a b modulo m; c may be one of them. */
QUALIFIERS void sluice_mrg_multiply(unsigned int c[3][3], const unsigned int a[3][3],
                                    const unsigned int b[3][3], unsigned long long m)
{
	unsigned int r[3][3];
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++) {
			unsigned long long sum = 0;
			for (int k = 0; k < 3; k++)
				sum = (sum + (unsigned long long)a[i][k] * b[k][j] % m) % m;
			r[i][j] = (unsigned int)sum;
		}
	for (int i = 0; i < 9; i++)
		c[i / 3][i % 3] = r[i / 3][i % 3];
}

/* n 2^shift steps of one of the two recurrences: its matrix to that power. */
static __device__ __noinline__ void sluice_mrg_jump(unsigned int s[3], unsigned int power[3][3],
                                                    unsigned long long m, unsigned long long n, int shift)
{
	for (; shift > 0 && n; shift--)
		sluice_mrg_multiply(power, power, power, m);
	for (; n; n >>= 1) {
		if (n & 1) {
			unsigned int next[3];
			for (int i = 0; i < 3; i++) {
				unsigned long long sum = 0;
				for (int k = 0; k < 3; k++)
					sum = (sum + (unsigned long long)power[i][k] * s[k] % m) % m;
				next[i] = (unsigned int)sum;
			}
			for (int i = 0; i < 3; i++)
				s[i] = next[i];
		}
		sluice_mrg_multiply(power, power, power, m);
	}
}

QUALIFIERS void sluice_mrg_skip(curandStateMRG32k3a_t *state, unsigned long long n, int shift)
{
	unsigned int a1[3][3] = {{0, 1, 0}, {0, 0, 1}, {(unsigned int)(SLUICE_MRG_M1 - 810728), 1403580, 0}};
	unsigned int a2[3][3] = {{0, 1, 0}, {0, 0, 1}, {(unsigned int)(SLUICE_MRG_M2 - 1370589), 0, 527612}};
	sluice_mrg_jump(state->s1, a1, SLUICE_MRG_M1, n, shift);
	sluice_mrg_jump(state->s2, a2, SLUICE_MRG_M2, n, shift);
}

QUALIFIERS void skipahead(unsigned long long n, curandStateMRG32k3a_t *state)
{
	sluice_mrg_skip(state, n, 0);
}
QUALIFIERS void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
	sluice_mrg_skip(state, n, 76);
}
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
	sluice_mrg_skip(state, n, 127);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateMRG32k3a_t *state)
{
	unsigned long long x1 = (unsigned int)seed ^ 0x55555555u,
	                   x2 = (unsigned int)(seed >> 32) ^ 0xaaaaaaaau;
	for (int i = 0; i < 3; i++) {
		unsigned long long by1 = seed ? (i == 1 ? x2 : x1) : 1, by2 = seed ? (i == 1 ? x1 : x2) : 1;
		state->s1[i] = (unsigned int)(by1 * 12345 % SLUICE_MRG_M1);
		state->s2[i] = (unsigned int)(by2 * 12345 % SLUICE_MRG_M2);
	}
	skipahead_subsequence(subsequence, state);
	skipahead(offset, state);
	state->boxmuller_flag = state->boxmuller_flag_double = 0;
	state->boxmuller_extra = 0;
	state->boxmuller_extra_double = 0;
}

#undef SLUICE_MRG_M1
#undef SLUICE_MRG_M2
