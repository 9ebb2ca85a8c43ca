/* Uniform, normal, log-normal and Poisson numbers from the generators. Part of curand_kernel.h. */

#define CURAND_2POW32_INV (2.3283064e-10f)
#define CURAND_2POW32_INV_2PI (2.3283064e-10f * 6.2831855f)
#define CURAND_2POW53_INV_DOUBLE (1.1102230246251565e-16)

/* In (0, 1]. */
QUALIFIERS float _curand_uniform(unsigned int x)
{
	return x * CURAND_2POW32_INV + (CURAND_2POW32_INV / 2.0f);
}

QUALIFIERS double _curand_uniform_double_hq(unsigned int x, unsigned int y)
{
	unsigned long long z = (unsigned long long)x ^ ((unsigned long long)y << (53 - 32));
	return z * CURAND_2POW53_INV_DOUBLE + (CURAND_2POW53_INV_DOUBLE / 2.0);
}

QUALIFIERS float2 _curand_box_muller(unsigned int x, unsigned int y)
{
	float u = x * CURAND_2POW32_INV + (CURAND_2POW32_INV / 2);
	float v = y * CURAND_2POW32_INV_2PI + (CURAND_2POW32_INV_2PI / 2), s = sqrtf(-2.0f * logf(u));
	float2 result;
	sincosf(v, &result.x, &result.y);
	result.x *= s;
	result.y *= s;
	return result;
}

QUALIFIERS double2 sluice_box_muller_double(double u, double v)
{
	double s = sqrt(-2.0 * log(u));
	double2 result;
	sincospi(2.0 * v, &result.x, &result.y);
	result.x *= s;
	result.y *= s;
	return result;
}

template <class State> QUALIFIERS float curand_uniform(State *state)
{
	return _curand_uniform(curand(state));
}
/* MRG32k3a's own scale. */
QUALIFIERS float curand_uniform(curandStateMRG32k3a_t *state)
{
	return (float)((double)sluice_mrg_step(state) * 2.328306549295727688e-10);
}
template <class State> QUALIFIERS double curand_uniform_double(State *state)
{
	unsigned int x = curand(state), y = curand(state);
	return _curand_uniform_double_hq(x, y);
}
QUALIFIERS double curand_uniform_double(curandStateMRG32k3a_t *state)
{
	return (double)sluice_mrg_step(state) * 2.328306549295727688e-10;
}

template <class State> QUALIFIERS float2 curand_normal2(State *state)
{
	unsigned int x = curand(state), y = curand(state);
	return _curand_box_muller(x, y);
}
template <class State> QUALIFIERS float curand_normal(State *state)
{
	if (state->boxmuller_flag) {
		state->boxmuller_flag = 0;
		return state->boxmuller_extra;
	}
	float2 pair = curand_normal2(state);
	state->boxmuller_extra = pair.y;
	state->boxmuller_flag = 1;
	return pair.x;
}
template <class State> QUALIFIERS double2 curand_normal2_double(State *state)
{
	double u = curand_uniform_double(state), v = curand_uniform_double(state);
	return sluice_box_muller_double(u, v);
}
template <class State> QUALIFIERS double curand_normal_double(State *state)
{
	if (state->boxmuller_flag_double) {
		state->boxmuller_flag_double = 0;
		return state->boxmuller_extra_double;
	}
	double2 pair = curand_normal2_double(state);
	state->boxmuller_extra_double = pair.y;
	state->boxmuller_flag_double = 1;
	return pair.x;
}
template <class State> QUALIFIERS float curand_log_normal(State *state, float mean, float deviation)
{
	return expf(mean + deviation * curand_normal(state));
}
template <class State> QUALIFIERS double curand_log_normal_double(State *state, double mean, double deviation)
{
	return exp(mean + deviation * curand_normal_double(state));
}

/* Knuth's product for small means; above them the rounded normal, which is what the mean's size makes of it. */
template <class State> QUALIFIERS unsigned int curand_poisson(State *state, double lambda)
{
	if (lambda < 64.0) {
		double limit = exp(-lambda), product = curand_uniform_double(state);
		unsigned int count = 0;
		for (; product > limit; count++)
			product *= curand_uniform_double(state);
		return count;
	}
	double x = rint(lambda + sqrt(lambda) * curand_normal_double(state));
	return x > 0 ? (unsigned int)x : 0;
}

/* ---- four of Philox at once ----------------------------------------------------------------------------------- */

QUALIFIERS float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
	uint4 x = curand4(state);
	return make_float4(_curand_uniform(x.x), _curand_uniform(x.y), _curand_uniform(x.z),
	                   _curand_uniform(x.w));
}
QUALIFIERS float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
	uint4 x = curand4(state);
	float2 a = _curand_box_muller(x.x, x.y), b = _curand_box_muller(x.z, x.w);
	return make_float4(a.x, a.y, b.x, b.y);
}
QUALIFIERS double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
	uint4 x = curand4(state);
	return make_double2(_curand_uniform_double_hq(x.x, x.y), _curand_uniform_double_hq(x.z, x.w));
}
