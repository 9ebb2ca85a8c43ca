/*
 * Places of a word in a text. One thread slides the word, kept in shared memory, over one line of text, letter by
 * letter; what it finds is emitted to exact places, in order.
 */
#include "../common/mapreduce.h"

enum { WORD_MOST = 64 };

static struct workload_param param[] = {
	{"kilobytes", "text", 32, 256, 1024, 1, 512 * 1024},
};

/* Returns how often the line holds the word; puts the places at `out` where there is one. The newline ends both. */
static __device__ int map_line(const char *text, uint32_t begin, const char *word, uint32_t *out)
{
	int found = 0;
	const char first = word[0];
	const char *at = text + begin;
#pragma unroll 4
	for (char letter; (letter = *at) != '\n'; at++) {
		if (letter != first)
			continue;
		int same = 1;
#pragma unroll 1
		while (word[same] && at[same] == word[same])
			same++;
		if (word[same])
			continue;
		if (out)
			out[found] = (uint32_t)(at - text);
		found++;
	}
	return found;
}

static __device__ void copy_word(char *shared_word, const char *word)
{
	for (int i = threadIdx.x; i < WORD_MOST; i += blockDim.x)
		shared_word[i] = word[i];
	__syncthreads();
}

__global__ void map_count(const char *text, const uint32_t *record, const char *word, int *count, int records)
{
	__shared__ char shared_word[WORD_MOST];
	copy_word(shared_word, word);
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < records)
		count[i] = map_line(text, record[i], shared_word, NULL);
}

__global__ void map_emit(const char *text, const uint32_t *record, const char *word, const int *place, uint32_t *match,
                         int records)
{
	__shared__ char shared_word[WORD_MOST];
	copy_word(shared_word, word);
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < records)
		map_line(text, record[i], shared_word, match + place[i]);
}

/* ---- input and reference ----------------------------------------------------------------------------------- */

static void make_line(struct workload *w, struct mapreduce_text *t)
{
	size_t end = t->bytes + 128 + workload_below(w, 128);
	while (t->bytes < end) {
		mapreduce_add_word(t, mapreduce_skewed(w, 65536));
		mapreduce_add(t, " ");
	}
	mapreduce_add(t, "\n");
	mapreduce_end_record(t);
}

/* Returns how many places hold the word, -1 if they are not these. */
static int check(const struct mapreduce_text *t, const char *word, const uint32_t *match, int matches)
{
	int found = 0;
	for (const char *at = t->byte; (at = strstr(at, word)); at++, found++)
		if (found == matches || match[found] != (uint32_t)(at - t->byte))
			return -1;
	return found;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("string-match", "places of a word in a text", param, 1, argc, argv);
	size_t bytes = (size_t)workload_value(&w, "kilobytes") << 10;
	struct mapreduce_text t = mapreduce_open_text(bytes), word = mapreduce_open_text(0);
	while (t.bytes < bytes)
		make_line(&w, &t);
	mapreduce_add_word(&word, 64 + workload_below(&w, 192)); /* two syllables: once in some dozens of lines */
	mapreduce_upload(&t);
	int records = (int)t.records, blocks = mapreduce_blocks(records), *place = WORKLOAD_DEVICE(int, records);
	char *device_word = WORKLOAD_DEVICE(char, WORD_MOST);
	WORKLOAD_CUDA(cudaMemcpy(device_word, word.byte, WORD_MOST, cudaMemcpyHostToDevice));

	workload_start(&w);
	map_count<<<blocks, MAPREDUCE_THREADS>>>(t.device_byte, t.device_record, device_word, place, records);
	int matches = mapreduce_scan<int>(place, records);
	uint32_t *device_match = WORKLOAD_DEVICE(uint32_t, matches), *match = WORKLOAD_HOST(uint32_t, matches);
	map_emit<<<blocks, MAPREDUCE_THREADS>>>(t.device_byte, t.device_record, device_word, place, device_match,
	                                        records);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(match, device_match, matches * sizeof *match, cudaMemcpyDeviceToHost));
	return workload_close(&w, check(&t, word.byte, match, matches) == matches);
}
