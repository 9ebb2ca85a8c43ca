/*
 * Pages of a web log ranked by their views. One thread reads the views of one "page views" line; the pairs sort by
 * views in tiles of 8 KB in shared memory.
 */
#include "../common/mapreduce.h"

enum { SORT_THREADS = 256, SORT_TILE = 1024, VIEWS_MOST = 1000000 };

static struct workload_param param[] = {
	{"pages", "pages with their views", 1024, 32768, 1 << 19, 1, 1 << 22},
};

/* One pair for a line with a number at its end. */
static __device__ int map_line(const char *text, uint32_t begin, uint32_t end, uint32_t line,
                               struct mapreduce_pair *out)
{
	uint32_t i = begin, views = 0;
	while (i < end && text[i] != ' ')
		i++;
	if (i == end)
		return 0;
	if (!out)
		return 1;
	for (i++; i < end && text[i] != '\n'; i++)
		views = 10 * views + (text[i] - '0');
	out->key = views;
	out->value = line;
	return 1;
}

__global__ void map_count(const char *text, const uint32_t *record, int *count, int records)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < records)
		count[i] = map_line(text, record[i], record[i + 1], i, NULL);
}

__global__ void map_emit(const char *text, const uint32_t *record, const int *place, struct mapreduce_pair *pair,
                         int records)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < records)
		map_line(text, record[i], record[i + 1], i, pair + place[i]);
}

/* The key is the number itself; the most viewed page comes first. */
static __device__ int compare_views(const char *, struct mapreduce_pair a, struct mapreduce_pair b)
{
	return a.key < b.key ? 1 : a.key > b.key ? -1 : 0;
}

/* Where the text of each page begins, best first. */
__global__ void list_pages(const struct mapreduce_pair *pair, const uint32_t *record, uint32_t *page, int pages)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < pages)
		page[i] = record[pair[i].value];
}

/* ---- input and reference ----------------------------------------------------------------------------------- */

static void make_line(struct workload *w, struct mapreduce_text *t, uint32_t page)
{
	mapreduce_add(t, "http://");
	mapreduce_add_word(t, page * 2654435761u >> 14);
	mapreduce_add(t, ".org/");
	for (uint32_t folder = 2 + workload_below(w, 5); folder; folder--) {
		mapreduce_add_word(t, mapreduce_skewed(w, 65536));
		mapreduce_add(t, "/");
	}
	mapreduce_add_word(t, page);
	mapreduce_add(t, ".html ");
	mapreduce_add_number(t, mapreduce_skewed(w, VIEWS_MOST));
	mapreduce_add(t, "\n");
	mapreduce_end_record(t);
}

struct viewed {
	long views;
	uint32_t page;
};

static int by_views(const void *left, const void *right)
{
	const struct viewed *a = (const struct viewed *)left, *b = (const struct viewed *)right;
	if (a->views != b->views)
		return a->views > b->views ? -1 : 1;
	return a->page < b->page ? -1 : a->page > b->page;
}

static bool check(const struct mapreduce_text *t, const uint32_t *device_page)
{
	uint32_t *page = WORKLOAD_HOST(uint32_t, t->records);
	struct viewed *want = WORKLOAD_HOST(struct viewed, t->records);
	bool same = true;
	WORKLOAD_CUDA(cudaMemcpy(page, device_page, t->records * sizeof *page, cudaMemcpyDeviceToHost));
	for (size_t i = 0; i < t->records; i++) {
		want[i].page = t->record[i];
		want[i].views = strtol(strchr(t->byte + t->record[i], ' '), NULL, 10);
	}
	qsort(want, t->records, sizeof *want, by_views);
	for (size_t i = 0; i < t->records && same; i++)
		same = page[i] == want[i].page;
	free(page);
	free(want);
	return same;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("pageview-rank", "pages of a log ranked by views", param, 1, argc, argv);
	int pages = (int)workload_value(&w, "pages"), blocks = mapreduce_blocks(pages);
	struct mapreduce_text t = mapreduce_open_text((size_t)pages * 128);
	for (int i = 0; i < pages; i++)
		make_line(&w, &t, i);
	mapreduce_upload(&t);
	int *place = WORKLOAD_DEVICE(int, pages);
	uint32_t *page = WORKLOAD_DEVICE(uint32_t, pages);

	workload_start(&w);
	map_count<<<blocks, MAPREDUCE_THREADS>>>(t.device_byte, t.device_record, place, pages);
	int pairs = mapreduce_scan<int>(place, pages);
	unsigned padded = mapreduce_padded(pairs, SORT_TILE);
	struct mapreduce_pair *pair = mapreduce_no_pairs(padded);
	map_emit<<<blocks, MAPREDUCE_THREADS>>>(t.device_byte, t.device_record, place, pair, pages);
	mapreduce_sort_in_tiles<compare_views, SORT_THREADS, SORT_TILE>(NULL, pair, padded);
	list_pages<<<blocks, MAPREDUCE_THREADS>>>(pair, t.device_record, page, pairs);
	workload_stop(&w);
	return workload_close(&w, pairs == pages && check(&t, page));
}
