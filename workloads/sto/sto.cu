/*
 * MD5 of many messages, one per thread, which stages its message in shared memory word by word and hashes it there. The
 * first words of all messages lie one behind the other, then the second ones, and so on: both copies coalesce.
 */
#include "../common/workload.h"

enum {
	THREADS = 128,
	TEXT_WORDS = 28,       /* a message of 112 bytes ... */
	PADDED_WORDS = 32,     /* ... fills two blocks of 16 words with its padding */
	STRIDE = THREADS,      /* words between two words of a message: a warp finds them in neighbouring banks */
	STATE_WORDS = 4,
};

static struct workload_param param[] = {
	{"messages", "messages of 112 bytes", 1024, 49152, 49152, 1, 1 << 24},
};

__device__ static unsigned rotate_left(unsigned x, int by)
{
	return x << by | x >> (32 - by);
}

__device__ static int word_of(int round, int step)
{
	return (round == 0 ? step : round == 1 ? 5 * step + 1 : round == 2 ? 3 * step + 5 : 7 * step) & 15;
}

__device__ static unsigned mix(int round, unsigned b, unsigned c, unsigned d)
{
	return round == 0 ? (b & c) | (~b & d) : round == 1 ? (b & d) | (c & ~d) : round == 2 ? b ^ c ^ d : c ^ (b | ~d);
}

/* `block` points at the thread's first word of a block. */
__device__ static void hash_block(unsigned state[STATE_WORDS], const unsigned *block)
{
	const int shift[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
	/* 2^32 |sin(i + 1)|, which are to end as operands of instructions. */
	const unsigned sine[64] = {
		0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
		0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
		0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
		0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
		0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
		0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
		0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
		0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
	};
	unsigned a = state[0], b = state[1], c = state[2], d = state[3];
#pragma unroll
	for (int i = 0; i < 64; i++) {
		int round = i / 16, step = i % 16;
		unsigned sum = a + mix(round, b, c, d) + block[word_of(round, step) * STRIDE] + sine[i];
		a = d;
		d = c;
		c = b;
		b += rotate_left(sum, shift[round][i % 4]);
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
}

__global__ void hash_messages(const unsigned *text, uint4 *digest, unsigned messages)
{
	__shared__ unsigned staged[PADDED_WORDS * STRIDE];
	unsigned thread = threadIdx.x, first = blockIdx.x * THREADS;
	/* Word by word: a warp's load and its store lie in neighbouring words. */
	for (unsigned i = 0; i < TEXT_WORDS && first + thread < messages; i++)
		staged[i * STRIDE + thread] = text[(size_t)i * messages + first + thread];
	staged[28 * STRIDE + thread] = 0x80;
	staged[29 * STRIDE + thread] = 0;
	staged[30 * STRIDE + thread] = TEXT_WORDS * 32;
	staged[31 * STRIDE + thread] = 0;
	__syncthreads();
	if (first + thread >= messages)
		return;
	unsigned state[STATE_WORDS] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
#pragma unroll 1
	for (int block = 0; block < 2; block++)
		hash_block(state, staged + block * 16 * STRIDE + thread);
	digest[first + thread] = make_uint4(state[0], state[1], state[2], state[3]);
}

/* MD5 as RFC 1321 states it, the four rounds one after the other. */
static void reference_block(unsigned state[STATE_WORDS], const unsigned *x, const unsigned *t)
{
	static const unsigned char turn[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
	static const unsigned char start[4] = {0, 1, 5, 0}, stride[4] = {1, 5, 3, 7};
	unsigned v[STATE_WORDS] = {state[0], state[1], state[2], state[3]};
	for (unsigned i = 0; i < 64; i++) {
		unsigned r = i / 16, *a = v + (64 - i) % 4, b = v[(65 - i) % 4], c = v[(66 - i) % 4], d = v[(67 - i) % 4];
		unsigned f = r == 0 ? d ^ (b & (c ^ d)) : r == 1 ? c ^ (d & (b ^ c)) : r == 2 ? b ^ c ^ d : c ^ (b | ~d);
		unsigned sum = *a + f + x[(start[r] + stride[r] * (i % 16)) % 16] + t[i];
		*a = b + (sum << turn[r][i % 4] | sum >> (32 - turn[r][i % 4]));
	}
	for (int i = 0; i < STATE_WORDS; i++)
		state[i] += v[i];
}

/* `text`: the message's first word; `stride` words lie between two of them. */
static void reference(const unsigned *text, size_t stride, unsigned *digest, const unsigned *t)
{
	static const unsigned first[STATE_WORDS] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
	unsigned padded[PADDED_WORDS] = {};
	for (int i = 0; i < TEXT_WORDS; i++)
		padded[i] = text[i * stride];
	padded[28] = 0x80;
	padded[30] = TEXT_WORDS * 32;
	memcpy(digest, first, sizeof first);
	reference_block(digest, padded, t);
	reference_block(digest, padded + 16, t);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("sto", "MD5 of many messages", param, 1, argc, argv);
	unsigned messages = (unsigned)workload_value(&w, "messages");
	size_t words = (size_t)messages * TEXT_WORDS, digests = (size_t)messages * STATE_WORDS;
	unsigned *text = WORKLOAD_HOST(unsigned, words), *device_text = WORKLOAD_DEVICE(unsigned, words);
	unsigned *got = WORKLOAD_HOST(unsigned, digests), *want = WORKLOAD_HOST(unsigned, digests);
	uint4 *device_digest = WORKLOAD_DEVICE(uint4, messages);
	unsigned table[64];
	for (int i = 0; i < 64; i++)
		table[i] = (unsigned)(fabs(sin(i + 1.0)) * 4294967296.0);
	for (size_t i = 0; i < words; i++)
		text[i] = (unsigned)(workload_random(&w) >> 32);
	WORKLOAD_CUDA(cudaMemcpy(device_text, text, words * sizeof *text, cudaMemcpyHostToDevice));

	workload_start(&w);
	hash_messages<<<(messages + THREADS - 1) / THREADS, THREADS>>>(device_text, device_digest, messages);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(got, device_digest, digests * sizeof *got, cudaMemcpyDeviceToHost));
	for (unsigned i = 0; i < messages; i++)
		reference(text + i, messages, want + (size_t)i * STATE_WORDS, table);
	return workload_close(&w, workload_same_ints("digest", (const int *)got, (const int *)want, digests));
}
