/*
 * Which lines share a set of L1, and which line goes when L1 is full: one warp loads lines and looks at the clock.
 *
 *	nvcc -O3 -arch=sm_90 sets.cu -o sets && ./sets >sets.txt
 *
 * Prints, for the first line of an aligned block of memory, all lines of 2 MiB in its set; for every higher address bit, the
 * lines of 2 MiB whose set changes by as much; whether other lines' sets follow from those; which lines of a set are gone after
 * some uses of them; and how many lines go when the data array is full before the tags are, or a stream of new ones comes.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <cuda_runtime.h>

typedef std::vector<unsigned> list;

enum { MOST = 30000, HIT_CYCLES = 130, SMS = 128, LOW = 14 /* bits of a line's number within 2 MiB */ };

__constant__ unsigned short sequence[MOST];

static __device__ unsigned timed(const char *lines, size_t line)
{
	unsigned before, after, value;
	const char *from = lines + line * 128 + threadIdx.x * 4;
	asm volatile("mov.u32 %0, %%clock;" : "=r"(before)::"memory");
	asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
	if (value) /* never: the lines are zero, but the clock has to wait for the load */
		asm volatile("trap;");
	asm volatile("mov.u32 %0, %%clock;" : "=r"(after)::"memory");
	return after - before;
}

/* How a line of the sequence is used: its upper bits. */
enum { WHOLE, FIRST_SECTOR, SECOND_SECTOR, TWICE, STORE, HOW = 13 };

static __device__ void use(const char *lines, unsigned access)
{
	unsigned line = access & ((1 << HOW) - 1), how = access >> HOW, value, other = 0;
	const char *from = lines + (size_t)line * 128;
	if (how >= STORE) {
		asm volatile("st.global.u32 [%0], %1;" ::"l"(from + threadIdx.x * 4), "r"(0) : "memory");
		__nanosleep(2000);
		return;
	}
	if (how == WHOLE || how == TWICE)
		from += threadIdx.x * 4;
	else
		from += (how == SECOND_SECTOR) * 32 + (threadIdx.x & 7) * 4;
	asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
	if (how == TWICE) /* the second while the first is under way */
		asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(other) : "l"((size_t)from ^ 4) : "memory");
	if (value | other)
		asm volatile("trap;");
}

static __device__ unsigned uncached(const unsigned *from)
{
	unsigned value;
	asm volatile("ld.global.cv.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
	return value;
}

/* The first `count` lines of the sequence, then one line per CTA: is it still there? */
__global__ void play(const char *lines, int count, const unsigned *asked, unsigned *hit)
{
	unsigned line = uncached(&asked[blockIdx.x]);
	for (int i = 0; i < count; i++)
		use(lines, sequence[i]);
	unsigned cycles = timed(lines, line);
	if (threadIdx.x == 0)
		atomicExch(&hit[blockIdx.x], cycles < HIT_CYCLES);
}

/* Line first + the CTA's number: does it share the set of e0 to e3? */
__global__ void member(const char *lines, size_t e0, size_t e1, size_t e2, size_t e3, size_t first, size_t again, unsigned *hit)
{
	timed(lines, e0);
	timed(lines, e1);
	timed(lines, e2);
	timed(lines, e3);
	timed(lines, first + blockIdx.x);
	if (timed(lines, again) >= HIT_CYCLES && threadIdx.x == 0)
		atomicExch(&hit[blockIdx.x], 1);
}

/* The sequence's first `count` lines; then which of lines 0 to `live` - 1 are there, by loads that allocate nothing. */
__global__ void look(const char *lines, int count, int live, unsigned lanes, unsigned *there)
{
	for (int i = 0; i < count; i++)
		use(lines, sequence[i]);
	unsigned seen = 0;
#pragma unroll 1
	for (int i = 0; i < live; i++) {
		unsigned before, after, value;
		const char *from = lines + (size_t)i * 128 + (threadIdx.x & lanes) * 4;
		asm volatile("mov.u32 %0, %%clock;" : "=r"(before)::"memory");
		asm volatile("ld.global.L1::no_allocate.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
		if (value)
			asm volatile("trap;");
		asm volatile("mov.u32 %0, %%clock;" : "=r"(after)::"memory");
		seen |= (unsigned)(after - before < HIT_CYCLES) << (i & 31);
		if ((i & 31) == 31 || i == live - 1) {
			if (threadIdx.x == 0)
				atomicExch(&there[i / 32], seen);
			seen = 0;
		}
	}
}

static char *lines; /* aligned to all that is allocated */
static unsigned *asked, *answer;

/* For each of `which`: present after the first `count` lines of the sequence? */
static list present(int count, const list &which)
{
	list all;
	for (size_t first = 0; first < which.size(); first += SMS) {
		int n = (int)std::min((size_t)SMS, which.size() - first);
		list some(n);
		cudaMemcpy(asked, &which[first], n * 4, cudaMemcpyHostToDevice);
		play<<<n, 32>>>(lines, count, asked, answer);
		cudaMemcpy(some.data(), answer, n * 4, cudaMemcpyDeviceToHost);
		all.insert(all.end(), some.begin(), some.end());
	}
	return all;
}

static void set_sequence(const list &accesses)
{
	std::vector<unsigned short> s(accesses.begin(), accesses.end());
	cudaMemcpyToSymbol(sequence, s.data(), s.size() * 2);
}

/* Does `line` go when `others` come? */
static bool goes(unsigned line, const list &others)
{
	list accesses(1, line);
	accesses.insert(accesses.end(), others.begin(), others.end());
	set_sequence(accesses);
	return !present((int)accesses.size(), list(1, line))[0];
}

/* Four lines that share the set of `line`; no others are needed for it to go. */
static list conflicts(unsigned line, unsigned below = 1 << HOW)
{
	list pool;
	do {
		pool.clear();
		for (int i = 0; i < 1500; i++) {
			unsigned other = rand() % below;
			if (other != line && std::find(pool.begin(), pool.end(), other) == pool.end())
				pool.push_back(other);
		}
	} while (!goes(line, pool));
	for (size_t step = pool.size() / 2; step; step /= 2)
		for (size_t at = 0; at < pool.size();) {
			list fewer(pool.begin(), pool.begin() + at);
			if (at + step < pool.size())
				fewer.insert(fewer.end(), pool.begin() + at + step, pool.end());
			if (goes(line, fewer))
				pool = fewer;
			else
				at += step;
		}
	return pool;
}

static list members(const list &set, size_t first, size_t count)
{
	list found(count), result;
	cudaMemset(answer, 0, count * 4);
	for (size_t at = 0; at < count; at += SMS)
		member<<<SMS, 32>>>(lines, set[0], set[1], set[2], set[3], first + at, set[0], answer + at);
	cudaMemcpy(found.data(), answer, count * 4, cudaMemcpyDeviceToHost);
	for (size_t i = 0; i < count; i++)
		if (found[i])
			result.push_back((unsigned)i);
	return result;
}

static list with_kin(list set, unsigned line)
{
	set.insert(set.begin(), line);
	return set;
}

static void print(const char *name, const list &values)
{
	printf("%s", name);
	for (unsigned value : values)
		printf(" %u", value);
	printf("\n");
}

/* Random uses of four lines of a set, then a fifth comes: which goes, the least recently used being 0? */
static void full_set(const list &set)
{
	list goners(5);
	for (int i = 0; i < 300; i++) {
		list accesses(set.begin(), set.begin() + 4), last(4);
		for (int more = rand() % 12; more; more--)
			accesses.push_back(set[rand() % 4]);
		for (size_t at = 0; at < accesses.size(); at++)
			for (int way = 0; way < 4; way++)
				if (accesses[at] == set[way])
					last[way] = (unsigned)at;
		accesses.push_back(set[4]);
		set_sequence(accesses);
		list there = present((int)accesses.size(), list(set.begin(), set.begin() + 4));
		for (int way = 0; way < 4; way++)
			if (!there[way]) {
				int older = 0;
				for (int other = 0; other < 4; other++)
					older += last[other] < last[way];
				goners[older]++;
			}
	}
	print("full set, rank of the line that goes (0: least recently used)", goners);
}

static list operator+(list a, const list &b)
{
	a.insert(a.end(), b.begin(), b.end());
	return a;
}

static list how(list a, unsigned how)
{
	for (unsigned &line : a)
		line |= how << HOW;
	return a;
}

/* How many of the lines 0 to 511, 512 to 1023, 1024 to 1739 are gone after the accesses. */
static void summary(const char *name, int value, const list &accesses, unsigned lanes)
{
	enum { LIVE = 1740 };
	list there(LIVE / 32 + 1);
	set_sequence(accesses);
	printf("%s\t%d", name, value);
	for (int t = 0; t < 4; t++) {
		look<<<1, 32>>>(lines, (int)accesses.size(), LIVE, lanes, answer);
		cudaMemcpy(there.data(), answer, there.size() * 4, cudaMemcpyDeviceToHost);
		int gone[3] = {0};
		for (int i = 0; i < LIVE; i++)
			if (i % 32 && !(there[i / 32] >> (i & 31) & 1)) /* the first after an atomic is late */
				gone[i < 512 ? 0 : i < 1024 ? 1 : 2]++;
		printf("\t%d %d %d", gone[0], gone[1], gone[2]);
	}
	printf("\n");
}

static list range(unsigned from, unsigned to)
{
	list r;
	for (unsigned i = from; i < to; i++)
		r.push_back(i);
	return r;
}

/* Uses of seven lines of a set, letters for stores and t for two loads at once: which are gone then? */
static void orders_of(const list &set)
{
	static const char *const orders[] = {
	    "00110234", "001101234", "00111234", "001100234", "0011010234", "00110101234", "001100101234",
	    "00112201234", "0011223456", "00112233456", "001122334456", "0011A234", "00110A234", "0011B234",
	    "0011AA234", "0011t0234", "A0011234", "AA112345", "AA11A2345", "A01123456", "AAB23456", "AABB23456",
	    "AABBA23456", "AABBB23456", "AAAA123456", "0A1123456", "0AA1123456", "00AABB23456", "00111123456",
	    "0000111123456", "00110011234", "001100112345", "0011001100112345",
	};
	for (const char *order : orders) {
		list accesses, gone;
		for (const char *c = order; *c; c++)
			if (*c >= 'A' && *c <= 'Z')
				accesses.push_back(set[*c - 'A'] | STORE << HOW);
			else if (*c == 't')
				accesses.push_back(set[*++c - '0'] | TWICE << HOW);
			else
				accesses.push_back(set[*c - '0']);
		set_sequence(accesses);
		list there = present((int)accesses.size(), list(set.begin(), set.begin() + 7));
		for (int way = 0; way < 7; way++)
			if (!there[way])
				gone.push_back(way);
		print((std::string("order ") + order + ", gone").c_str(), gone);
	}
}
int main()
{
	size_t bytes = (size_t)16 << 30;
	char *memory;
	cudaMalloc(&memory, 2 * bytes);
	lines = (char *)(((size_t)memory + bytes - 1) / bytes * bytes);
	cudaMemset(lines, 0, bytes);
	cudaMalloc(&asked, SMS * 4);
	cudaMalloc(&answer, 4 << LOW);
	srand(1);
	printf("memory at %p\n", lines);
	list set = with_kin(conflicts(0), 0);
	print("needed", set);
	list all = members(set, 0, 1 << LOW);
	print("set of line 0, without the first four of those", all);
	for (int bit = LOW; bit < 27; bit++)
		print(("bit " + std::to_string(bit + 7)).c_str(), members(set, (size_t)1 << bit, 1 << LOW));
	for (int i = 0; i < 3; i++) {
		unsigned line = rand() % (1 << HOW);
		list other = with_kin(conflicts(line), line);
		print(("set of line " + std::to_string(line)).c_str(), members(other, 0, 1 << LOW));
	}
	full_set(set);
	set.insert(set.end(), all.begin(), all.begin() + 4);
	orders_of(set);
	list A = range(0, 512), B = range(512, 1740), C = range(0, 1024), D = range(0, 1536);
	static const int some[] = {64, 256, 512, 1024};
	for (int fresh : some) {
		list F = range(2048, 2048 + fresh);
		summary("A B F", fresh, A + B + F, ~0u);
		summary("A A B F", fresh, A + A + B + F, ~0u);
		summary("A twice at once, B F", fresh, how(A, TWICE) + B + F, ~0u);
		summary("A first, A second sector, B F", fresh, how(A, FIRST_SECTOR) + how(A, SECOND_SECTOR) + B + F, 7);
		summary("A A B B F", fresh, A + A + B + B + F, ~0u);
		summary("A, store A, B F", fresh, A + how(A, STORE) + B + F, ~0u);
		summary("store A, B F", fresh, how(A, STORE) + B + F, ~0u);
		summary("store A, store A, B F", fresh, how(A, STORE) + how(A, STORE) + B + F, ~0u);
	}
	for (int stream = 1024; stream <= 5120; stream += 1024) {
		list S = range(2048, 2048 + stream);
		summary("A, stream", stream, A + S, ~0u);
		summary("A A, stream", stream, A + A + S, ~0u);
		summary("C C, stream", stream, C + C + S, ~0u);
		summary("D D, stream", stream, D + D + S, ~0u);
	}
	for (unsigned count = 1736; count < 1900; count++)
		summary("lines", (int)count, range(0, count), ~0u);
	cudaError_t e = cudaDeviceSynchronize();
	if (e != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(e));
	return e != cudaSuccess;
}
