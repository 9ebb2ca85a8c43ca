/*
 * Which documents hold which link. One thread walks one document of about 1 KB byte by byte: a warp has 32 lines
 * in use at a time, each of which it wants 128 times.
 */
#include "../common/mapreduce.h"

static const unsigned long long TAG = 0x3c6120687265663dull; /* "<a href=", as a window of eight letters shows it */

static struct workload_param param[] = {
	{"kilobytes", "HTML text", 24, 6 * 1024, 28 * 1024, 1, 512 * 1024},
};

/* Returns how many links the document holds; puts them at `out` where there is one. */
static __device__ int map_document(const char *text, uint32_t begin, uint32_t end, uint32_t document,
                                   struct mapreduce_pair *out)
{
	int links = 0;
	unsigned long long window = 0;
#pragma unroll 1
	for (uint32_t i = begin; i < end; i++) {
		window = window << 8 | (unsigned char)text[i];
		if (window != TAG)
			continue;
		if (out) {
			out[links].key = i + 2; /* behind the quote */
			out[links].value = document;
		}
		links++;
	}
	return links;
}

__global__ void map_count(const char *text, const uint32_t *record, int *count, int records)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < records)
		count[i] = map_document(text, record[i], record[i + 1], i, NULL);
}

__global__ void map_emit(const char *text, const uint32_t *record, const int *place, struct mapreduce_pair *pair,
                         int records)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < records)
		map_document(text, record[i], record[i + 1], i, pair + place[i]);
}

/* Links end at their quote. */
static __host__ __device__ int compare_links(const char *text, struct mapreduce_pair a, struct mapreduce_pair b)
{
	int left, right;
#pragma unroll 1
	do {
		left = text[a.key++];
		right = text[b.key++];
	} while (left == right && left != '"');
	return left - right;
}

/* Documents that hold the link; a document with it twice counts once. */
__global__ void reduce(const struct mapreduce_pair *pair, const int *first, int *documents, int groups)
{
	int g = blockIdx.x * blockDim.x + threadIdx.x;
	if (g >= groups)
		return;
	int count = 1;
	for (int i = first[g] + 1; i < first[g + 1]; i++)
		count += pair[i].value != pair[i - 1].value;
	documents[g] = count;
}

/* ---- input and reference ----------------------------------------------------------------------------------- */

static void add_link(struct workload *w, struct mapreduce_text *t)
{
	uint32_t page = mapreduce_skewed(w, 8192);
	mapreduce_add(t, "<a href=\"");
	mapreduce_add_word(t, page * 2654435761u >> 14);
	mapreduce_add(t, ".org/");
	mapreduce_add_word(t, page);
	mapreduce_add(t, ".html\">");
	mapreduce_add_word(t, workload_below(w, 4096));
	mapreduce_add(t, "</a>");
}

static void make_document(struct workload *w, struct mapreduce_text *t)
{
	size_t end = t->bytes + 896 + workload_below(w, 256);
	mapreduce_add(t, "<html><body>");
	while (t->bytes < end) {
		uint32_t kind = workload_below(w, 64);
		if (kind == 0)
			add_link(w, t);
		else if (kind < 4)
			mapreduce_add(t, kind == 1 ? "<p>" : kind == 2 ? "<b>" : "<br>");
		else
			mapreduce_add_word(t, mapreduce_skewed(w, 65536));
		mapreduce_add(t, " ");
	}
	mapreduce_add(t, "</body></html>\n");
	mapreduce_end_record(t);
}

static const char *sorted_text;

static int by_link_then_document(const void *left, const void *right)
{
	const struct mapreduce_pair *a = (const struct mapreduce_pair *)left, *b = (const struct mapreduce_pair *)right;
	int order = compare_links(sorted_text, *a, *b);
	if (order)
		return order;
	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

/* Returns how many links there are. */
static int reference(const struct mapreduce_text *t, struct mapreduce_pair *want, int room)
{
	int links = 0;
	uint32_t document = 0;
	for (const char *at = t->byte; (at = strstr(at, "<a href=\"")) && links < room; links++) {
		want[links].key = (uint32_t)(at + 9 - t->byte);
		while (t->record[document + 1] <= want[links].key)
			document++;
		want[links].value = document;
		at += 9;
	}
	sorted_text = t->byte;
	qsort(want, links, sizeof *want, by_link_then_document);
	return links;
}

/* Every pair, and how many documents each link has; a link twice in one document may stand either way. */
static bool check(const struct mapreduce_text *t, const struct mapreduce_pair *device_pair, int links,
                  const int *device_documents, int groups)
{
	struct mapreduce_pair *pair = WORKLOAD_HOST(struct mapreduce_pair, links);
	struct mapreduce_pair *want = WORKLOAD_HOST(struct mapreduce_pair, links + 1);
	int *documents = WORKLOAD_HOST(int, groups), group = -1, count = 0;
	WORKLOAD_CUDA(cudaMemcpy(pair, device_pair, links * sizeof *pair, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(documents, device_documents, groups * sizeof(int), cudaMemcpyDeviceToHost));
	bool same = reference(t, want, links + 1) == links;
	for (int i = 0; i < links && same; i++) {
		bool begins = i == 0 || compare_links(t->byte, want[i - 1], want[i]) != 0;
		same = pair[i].value == want[i].value && !compare_links(t->byte, pair[i], want[i]);
		if (begins && group >= 0)
			same = same && documents[group] == count;
		group += begins;
		count = begins ? 1 : count + (want[i].value != want[i - 1].value);
	}
	free(pair);
	free(want);
	same = same && group == groups - 1 && (links == 0 || documents[group] == count);
	free(documents);
	return same;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("inverted-index", "which documents hold which link", param, 1, argc, argv);
	size_t bytes = (size_t)workload_value(&w, "kilobytes") << 10;
	struct mapreduce_text t = mapreduce_open_text(bytes);
	while (t.bytes < bytes)
		make_document(&w, &t);
	mapreduce_upload(&t);
	int records = (int)t.records, blocks = mapreduce_blocks(records), *place = WORKLOAD_DEVICE(int, records);

	workload_start(&w);
	map_count<<<blocks, MAPREDUCE_THREADS>>>(t.device_byte, t.device_record, place, records);
	int links = mapreduce_scan<int>(place, records);
	if (!links) {
		workload_stop(&w);
		return workload_close(&w, !strstr(t.byte, "<a href=\""));
	}
	unsigned padded = mapreduce_padded(links, 2);
	struct mapreduce_pair *pair = mapreduce_no_pairs(padded);
	map_emit<<<blocks, MAPREDUCE_THREADS>>>(t.device_byte, t.device_record, place, pair, records);
	mapreduce_sort<compare_links>(t.device_byte, pair, padded);
	struct mapreduce_groups g = mapreduce_group<compare_links>(t.device_byte, pair, links);
	int *documents = WORKLOAD_DEVICE(int, g.count);
	reduce<<<mapreduce_blocks(g.count), MAPREDUCE_THREADS>>>(pair, g.first, documents, g.count);
	workload_stop(&w);
	return workload_close(&w, check(&t, pair, links, documents, g.count));
}
