/*
 * Views of each page of a web log. One thread finds the page of one log line; the pages sort in tiles in shared
 * memory, but what a comparison reads of them lies scattered in the log.
 */
#include "../common/mapreduce.h"

enum { SORT_THREADS = 128, SORT_TILE = 256, SPACES_BEFORE_PAGE = 3 };

static struct workload_param param[] = {
	{"kilobytes", "log text", 24, 1024, 13 * 1024, 1, 512 * 1024},
	{"pages", "different pages", 64, 2048, 32768, 1, 1 << 20},
};

/* Every line has one page: the map counts one, or none for a line that ends too early. */
static __device__ int map_line(const char *text, uint32_t begin, uint32_t end, uint32_t line,
                               struct mapreduce_pair *out)
{
	int spaces = 0;
#pragma unroll 1
	for (uint32_t i = begin; i < end; i++) {
		if (text[i] != ' ' || ++spaces < SPACES_BEFORE_PAGE)
			continue;
		if (out) {
			out->key = i + 1;
			out->value = line;
		}
		return 1;
	}
	return 0;
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

/* Pages end at a space. */
static __host__ __device__ int compare_pages(const char *text, struct mapreduce_pair a, struct mapreduce_pair b)
{
	int left, right;
#pragma unroll 1
	do {
		left = text[a.key++];
		right = text[b.key++];
	} while (left == right && left != ' ');
	return left - right;
}

__global__ void reduce(const int *first, int *views, int groups)
{
	int g = blockIdx.x * blockDim.x + threadIdx.x;
	if (g < groups)
		views[g] = first[g + 1] - first[g];
}

/* ---- input and reference ----------------------------------------------------------------------------------- */

static void make_line(struct workload *w, struct mapreduce_text *t, uint32_t pages)
{
	uint32_t page = mapreduce_skewed(w, pages);
	char visit[64];
	snprintf(visit, sizeof visit, "2008-%02u-%02u %02u:%02u:%02u 10.%u.%u.%u ", 1 + workload_below(w, 12),
	         1 + workload_below(w, 28), workload_below(w, 24), workload_below(w, 60), workload_below(w, 60),
	         workload_below(w, 256), workload_below(w, 256), workload_below(w, 256));
	mapreduce_add(t, visit);
	mapreduce_add_word(t, page * 2654435761u >> 14);
	mapreduce_add(t, ".org/");
	mapreduce_add_word(t, page);
	mapreduce_add(t, ".html GET 200 ");
	mapreduce_add_number(t, workload_below(w, 100000));
	bool lynx = workload_below(w, 2);
	mapreduce_add(t, lynx ? " Lynx/2.8.5 (Linux i686; libwww-FM/2.14)" : " Mosaic/3.0 (Windows NT 5.1; en-us)");
	mapreduce_add(t, "\n");
	mapreduce_end_record(t);
}

static const char *sorted_text;

static int by_page_then_line(const void *left, const void *right)
{
	const struct mapreduce_pair *a = (const struct mapreduce_pair *)left, *b = (const struct mapreduce_pair *)right;
	int order = compare_pages(sorted_text, *a, *b);
	return order ? order : a->value < b->value ? -1 : a->value > b->value;
}

static void reference(const struct mapreduce_text *t, struct mapreduce_pair *pair)
{
	for (size_t i = 0; i < t->records; i++) {
		const char *at = t->byte + t->record[i];
		for (int space = 0; space < SPACES_BEFORE_PAGE; space++)
			at = strchr(at, ' ') + 1;
		pair[i].key = (uint32_t)(at - t->byte);
		pair[i].value = (uint32_t)i;
	}
	sorted_text = t->byte;
	qsort(pair, t->records, sizeof *pair, by_page_then_line);
}

/* Every pair, and the views of every page. */
static bool check(const struct mapreduce_text *t, const struct mapreduce_pair *device_pair, const int *device_views,
                  int pages)
{
	struct mapreduce_pair *pair = WORKLOAD_HOST(struct mapreduce_pair, t->records);
	struct mapreduce_pair *want = WORKLOAD_HOST(struct mapreduce_pair, t->records);
	int *views = WORKLOAD_HOST(int, pages), page = -1, left = 0;
	WORKLOAD_CUDA(cudaMemcpy(pair, device_pair, t->records * sizeof *pair, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(views, device_views, pages * sizeof(int), cudaMemcpyDeviceToHost));
	reference(t, want);
	bool same = true;
	for (size_t i = 0; i < t->records && same; i++) {
		bool begins = i == 0 || compare_pages(t->byte, want[i - 1], want[i]) != 0;
		same = pair[i].key == want[i].key && pair[i].value == want[i].value && begins == (left == 0);
		if (begins && same)
			same = ++page < pages && (left = views[page]) > 0;
		left--;
	}
	free(pair);
	free(want);
	free(views);
	return same && left == 0 && page == pages - 1;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("pageview-count", "views of each page in a log", param, 2, argc, argv);
	size_t bytes = (size_t)workload_value(&w, "kilobytes") << 10;
	struct mapreduce_text t = mapreduce_open_text(bytes);
	while (t.bytes < bytes)
		make_line(&w, &t, (uint32_t)workload_value(&w, "pages"));
	mapreduce_upload(&t);
	int records = (int)t.records, blocks = mapreduce_blocks(records), *place = WORKLOAD_DEVICE(int, records);

	workload_start(&w);
	map_count<<<blocks, MAPREDUCE_THREADS>>>(t.device_byte, t.device_record, place, records);
	int pairs = mapreduce_scan<int>(place, records);
	unsigned padded = mapreduce_padded(pairs, SORT_TILE);
	struct mapreduce_pair *pair = mapreduce_no_pairs(padded);
	map_emit<<<blocks, MAPREDUCE_THREADS>>>(t.device_byte, t.device_record, place, pair, records);
	mapreduce_sort_in_tiles<compare_pages, SORT_THREADS, SORT_TILE>(t.device_byte, pair, padded);
	struct mapreduce_groups g = mapreduce_group<compare_pages>(t.device_byte, pair, pairs);
	int *views = WORKLOAD_DEVICE(int, g.count);
	reduce<<<mapreduce_blocks(g.count), MAPREDUCE_THREADS>>>(g.first, views, g.count);
	workload_stop(&w);
	return workload_close(&w, pairs == records && check(&t, pair, views, g.count));
}
