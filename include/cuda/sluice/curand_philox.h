/* Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011). Part of curand_kernel.h. */

struct curandStatePhilox4_32_10 {
	uint4 ctr, output;
	uint2 key;
	unsigned int STATE; /* which of the four outputs is next */
	int boxmuller_flag, boxmuller_flag_double;
	float boxmuller_extra;
	double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

QUALIFIERS uint4 curand_Philox4x32_10(uint4 c, uint2 k)
{
#pragma unroll
	for (int round = 0; round < 10; round++) {
		unsigned int high0 = __umulhi(0xd2511f53u, c.x), low0 = 0xd2511f53u * c.x;
		unsigned int high1 = __umulhi(0xcd9e8d57u, c.z), low1 = 0xcd9e8d57u * c.z;
		c = make_uint4(high1 ^ c.y ^ k.x, low1, high0 ^ c.w ^ k.y, low0);
		k.x += 0x9e3779b9u;
		k.y += 0xbb67ae85u;
	}
	return c;
}

/* The lower half of the counter counts fours of a sequence, with a carry into the upper one, which counts sequences. */
QUALIFIERS void sluice_philox_add(uint4 *c, unsigned long long n, bool to_upper)
{
	unsigned long long low = (unsigned long long)c->y << 32 | c->x,
	                   high = (unsigned long long)c->w << 32 | c->z;
	if (to_upper) {
		high += n;
	} else {
		low += n;
		high += low < n;
	}
	*c = make_uint4((unsigned int)low, (unsigned int)(low >> 32), (unsigned int)high,
	                (unsigned int)(high >> 32));
}

QUALIFIERS void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
	sluice_philox_add(&state->ctr, n, true);
	state->output = curand_Philox4x32_10(state->ctr, state->key);
}

QUALIFIERS void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
	state->STATE += (unsigned int)(n & 3);
	sluice_philox_add(&state->ctr, n / 4 + state->STATE / 4, false);
	state->STATE %= 4;
	state->output = curand_Philox4x32_10(state->ctr, state->key);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStatePhilox4_32_10_t *state)
{
	state->ctr = make_uint4(0, 0, 0, 0);
	state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
	state->STATE = 0;
	state->boxmuller_flag = state->boxmuller_flag_double = 0;
	state->boxmuller_extra = 0;
	state->boxmuller_extra_double = 0;
	skipahead_sequence(subsequence, state);
	skipahead(offset, state);
}

QUALIFIERS unsigned int curand(curandStatePhilox4_32_10_t *state)
{
	uint4 o = state->output;
	unsigned int at = state->STATE++, value = at == 0 ? o.x : at == 1 ? o.y : at == 2 ? o.z : o.w;
	if (state->STATE == 4) {
		sluice_philox_add(&state->ctr, 1, false);
		state->output = curand_Philox4x32_10(state->ctr, state->key);
		state->STATE = 0;
	}
	return value;
}

QUALIFIERS uint4 curand4(curandStatePhilox4_32_10_t *state)
{
	unsigned int x = curand(state), y = curand(state), z = curand(state), w = curand(state);
	return make_uint4(x, y, z, w);
}
