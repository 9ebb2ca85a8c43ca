/*
 * Occurrences of each word of a text. One thread takes the words of one short line, so that a few threads share a
 * cache line; words are emitted in small letters to a pool of their own, at places from a scan of words and letters.
 */
#include "../common/mapreduce.h"

enum { HEAD = 4 };

static struct workload_param param[] = {
	{"kilobytes", "text", 4, 44, 88, 1, 256 * 1024},
};

/* Words and the bytes of their letters, in one number so that one scan sums both. */
static __host__ __device__ unsigned long long words_and_bytes(uint32_t words, uint32_t bytes)
{
	return (unsigned long long)words << 32 | bytes;
}

static __host__ __device__ bool is_letter(char c)
{
	return (unsigned)((c | 0x20) - 'a') < 26;
}

__global__ void map_count(const char *text, const uint32_t *record, unsigned long long *count, int records)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= records)
		return;
	uint32_t words = 0, letters = 0;
	bool inside = false;
#pragma unroll 1
	for (uint32_t at = record[i]; at < record[i + 1]; at++) {
		bool letter = is_letter(text[at]);
		words += letter && !inside;
		letters += letter;
		inside = letter;
	}
	count[i] = words_and_bytes(words, letters + words); /* each ends in a 0 */
}

/* The first letters of the word as a number that compares as they do: most comparisons need no more of it. */
static __device__ uint32_t head(const char *text, uint32_t at)
{
	uint32_t letters = 0;
	for (int i = 0; i < HEAD && is_letter(text[at + i]); i++)
		letters |= (text[at + i] | 0x20) << 8 * (HEAD - 1 - i);
	return letters;
}

__global__ void map_emit(const char *text, const uint32_t *record, const unsigned long long *place,
                         struct mapreduce_pair *pair, char *pool, int records)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= records)
		return;
	uint32_t word = (uint32_t)(place[i] >> 32), out = (uint32_t)place[i];
	bool inside = false;
#pragma unroll 1
	for (uint32_t at = record[i]; at < record[i + 1]; at++) {
		char c = text[at];
		bool letter = is_letter(c);
		if (letter && !inside) {
			pair[word].key = out;
			pair[word++].value = head(text, at);
		}
		if (letter || inside)
			pool[out++] = letter ? c | 0x20 : 0;
		inside = letter;
	}
}

static __device__ int compare_words(const char *pool, struct mapreduce_pair a, struct mapreduce_pair b)
{
	if (a.value != b.value)
		return a.value < b.value ? -1 : 1;
	if (!(a.value & 0xff))
		return 0; /* shorter than its head */
	int left, right;
	a.key += HEAD;
	b.key += HEAD;
#pragma unroll 1
	do {
		left = pool[a.key++];
		right = pool[b.key++];
	} while (left == right && left);
	return left - right;
}

__global__ void reduce(const int *first, int *count, int groups)
{
	int g = blockIdx.x * blockDim.x + threadIdx.x;
	if (g < groups)
		count[g] = first[g + 1] - first[g];
}

/* ---- input and reference ----------------------------------------------------------------------------------- */

static void make_line(struct workload *w, struct mapreduce_text *t)
{
	size_t begin = t->bytes, end = begin + 32 + workload_below(w, 32);
	while (t->bytes < end) {
		mapreduce_add_word(t, mapreduce_skewed(w, 1024) * 2654435761u >> 14);
		mapreduce_add(t, workload_below(w, 8) ? " " : ", ");
	}
	t->byte[begin] &= ~0x20; /* a capital */
	mapreduce_add(t, "\n");
	mapreduce_end_record(t);
}

static int by_letters(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Words of the whole text in order, cut up in a copy of it; returns how many. */
static int reference(const struct mapreduce_text *t, char **word)
{
	int words = 0;
	char *copy = WORKLOAD_HOST(char, t->bytes + 1);
	for (size_t i = 0; i < t->bytes; i++)
		copy[i] = t->byte[i] >= 'A' && t->byte[i] <= 'Z' ? t->byte[i] - 'A' + 'a' : t->byte[i];
	for (char *at = strtok(copy, " ,\n"); at; at = strtok(NULL, " ,\n"))
		word[words++] = at;
	qsort(word, words, sizeof *word, by_letters);
	return words;
}

struct result {
	struct mapreduce_pair *pair;
	char *pool;
	int *first, *count;
	int words, bytes, groups;
};

static bool check(const struct mapreduce_text *t, const struct result *device)
{
	struct mapreduce_pair *pair = WORKLOAD_HOST(struct mapreduce_pair, device->words);
	char *pool = WORKLOAD_HOST(char, device->bytes), **word = WORKLOAD_HOST(char *, t->bytes);
	int *count = WORKLOAD_HOST(int, device->groups), group = -1, left = 0;
	WORKLOAD_CUDA(cudaMemcpy(pair, device->pair, device->words * sizeof *pair, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(pool, device->pool, device->bytes, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(count, device->count, device->groups * sizeof(int), cudaMemcpyDeviceToHost));
	bool same = reference(t, word) == device->words;
	for (int i = 0; i < device->words && same; i++) {
		bool begins = i == 0 || strcmp(word[i - 1], word[i]) != 0;
		same = !strcmp(pool + pair[i].key, word[i]) && begins == (left == 0);
		if (begins && same)
			same = ++group < device->groups && (left = count[group]) > 0;
		left--;
	}
	free(pair);
	free(pool);
	free(word);
	free(count);
	return same && left == 0 && group == device->groups - 1;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("word-count", "occurrences of each word of a text", param, 1, argc, argv);
	size_t bytes = (size_t)workload_value(&w, "kilobytes") << 10;
	struct mapreduce_text t = mapreduce_open_text(bytes);
	while (t.bytes < bytes)
		make_line(&w, &t);
	mapreduce_upload(&t);
	int records = (int)t.records, blocks = mapreduce_blocks(records);
	unsigned long long *place = WORKLOAD_DEVICE(unsigned long long, records);
	struct result r;

	workload_start(&w);
	map_count<<<blocks, MAPREDUCE_THREADS>>>(t.device_byte, t.device_record, place, records);
	unsigned long long total = mapreduce_scan<unsigned long long>(place, records);
	r.words = (int)(total >> 32);
	r.bytes = (int)(uint32_t)total;
	unsigned padded = mapreduce_padded(r.words, 2);
	r.pair = mapreduce_no_pairs(padded);
	r.pool = WORKLOAD_DEVICE(char, r.bytes);
	map_emit<<<blocks, MAPREDUCE_THREADS>>>(t.device_byte, t.device_record, place, r.pair, r.pool, records);
	mapreduce_sort<compare_words>(r.pool, r.pair, padded);
	struct mapreduce_groups g = mapreduce_group<compare_words>(r.pool, r.pair, r.words);
	r.first = g.first;
	r.groups = g.count;
	r.count = WORKLOAD_DEVICE(int, g.count);
	reduce<<<mapreduce_blocks(g.count), MAPREDUCE_THREADS>>>(g.first, r.count, g.count);
	workload_stop(&w);
	return workload_close(&w, check(&t, &r));
}
