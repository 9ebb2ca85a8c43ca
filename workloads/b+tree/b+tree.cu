/*
 * Look-ups and range queries in a B+ tree of wide nodes. A CTA answers one query: its threads compare it with all keys
 * of a node at once, and the one that finds it between two keys says where to go on. Where a query stands is kept in
 * memory, as are its answers.
 */
#include "../common/workload.h"

enum { ORDER = 256, NONE = -1 };

static struct workload_param param[] = {
	{"keys", "keys in the tree", 5000, 300000, 1000000, 2, 16000000},
	{"lookups", "look-ups", 150, 4000, 10000, 1, 1000000},
	{"ranges", "range queries", 90, 2400, 6000, 1, 1000000},
};

/* Keys in order, INT_MAX behind the last; child[i] is what begins at key[i]: a node, or in a leaf a record. */
struct node {
	int key[ORDER + 1], child[ORDER + 1];
};

struct tree {
	struct node *node;
	int nodes, root, levels; /* levels above the leaves */
};

__global__ void look_up(struct tree t, const int *record, const int *wanted, int *at, int *next, int *answer)
{
	int query = blockIdx.x, i = threadIdx.x;
	for (int level = 0; level < t.levels; level++) {
		const struct node *n = &t.node[at[query]];
		if (n->key[i] <= wanted[query] && wanted[query] < n->key[i + 1])
			next[query] = n->child[i];
		__syncthreads();
		if (i == 0)
			at[query] = next[query];
		__syncthreads();
	}
	const struct node *leaf = &t.node[at[query]];
	if (leaf->key[i] == wanted[query])
		answer[query] = record[leaf->child[i]];
}

/* The two ends of a range, both keys of the tree, descend together. */
struct range_query {
	int low, high;   /* asked */
	int first, last; /* records */
};

struct ends {
	int low, high;
};

__global__ void look_up_range(struct tree t, struct range_query *query, struct ends *at, struct ends *next)
{
	struct range_query *q = &query[blockIdx.x];
	struct ends *here = &at[blockIdx.x], *below = &next[blockIdx.x];
	int i = threadIdx.x;
	for (int level = 0; level < t.levels; level++) {
		const struct node *low = &t.node[here->low], *high = &t.node[here->high];
		if (low->key[i] <= q->low && q->low < low->key[i + 1])
			below->low = low->child[i];
		if (high->key[i] <= q->high && q->high < high->key[i + 1])
			below->high = high->child[i];
		__syncthreads();
		if (i == 0)
			*here = *below;
		__syncthreads();
	}
	const struct node *low = &t.node[here->low], *high = &t.node[here->high];
	if (low->key[i] == q->low)
		q->first = low->child[i];
	if (high->key[i] == q->high)
		q->last = high->child[i];
}

/* ---- the tree ------------------------------------------------------------------------------------------ */

/* Nodes over `count` children with these least keys, half full to full; leaves the nodes' own least keys there. */
static int build_level(struct workload *w, struct tree *t, int *least, int first_child, int count)
{
	int nodes = 0;
	for (int done = 0; done < count; nodes++) {
		struct node *n = &t->node[t->nodes + nodes];
		int fill = ORDER / 2 + (int)workload_below(w, ORDER / 2 + 1);
		int least_of_node = least[done];
		for (int i = 0; i <= ORDER; i++) {
			bool used = i < fill && done < count;
			n->key[i] = used ? least[done] : INT32_MAX;
			n->child[i] = used ? first_child + done++ : NONE;
		}
		least[nodes] = least_of_node;
	}
	t->nodes += nodes;
	return nodes;
}

static struct tree build_tree(struct workload *w, const int *key, int keys)
{
	int *least = WORKLOAD_HOST(int, keys);
	size_t most = 2 * (size_t)keys / (ORDER / 2) + 8;
	struct tree t = {WORKLOAD_HOST(struct node, most), 0, 0, 0};
	memcpy(least, key, (size_t)keys * sizeof *least);
	int count = build_level(w, &t, least, 0, keys);
	while (count > 1) {
		/* What is less than every key goes left. */
		least[0] = INT32_MIN;
		count = build_level(w, &t, least, t.nodes - count, count);
		t.levels++;
	}
	t.root = t.nodes - 1;
	free(least);
	return t;
}

/* ---- queries ------------------------------------------------------------------------------------------- */

/* The record of a key, by bisection. */
static int rank_of(const int *key, int keys, int wanted)
{
	int low = 0, high = keys;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (key[middle] < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low < keys && key[low] == wanted ? low : NONE;
}

/* Places of all queries: the root. */
static int *device_places(int root, size_t count)
{
	int *place = WORKLOAD_HOST(int, count), *device_place = WORKLOAD_DEVICE(int, count);
	for (size_t i = 0; i < count; i++)
		place[i] = root;
	WORKLOAD_CUDA(cudaMemcpy(device_place, place, count * sizeof *place, cudaMemcpyHostToDevice));
	free(place);
	return device_place;
}

/* Three in four look-ups find their key. */
static bool run_lookups(struct workload *w, struct tree device_tree, const int *key, int keys, int count)
{
	int *record = WORKLOAD_HOST(int, keys), *wanted = WORKLOAD_HOST(int, count);
	int *got = WORKLOAD_HOST(int, count), *want = WORKLOAD_HOST(int, count);
	for (int i = 0; i < keys; i++)
		record[i] = (int)workload_below(w, 1 << 30);
	for (int i = 0; i < count; i++)
		wanted[i] = i % 4 ? key[workload_below(w, (uint32_t)keys)] : (int)workload_below(w, INT32_MAX);
	int *device_record = WORKLOAD_DEVICE(int, keys), *device_wanted = WORKLOAD_DEVICE(int, count);
	int *at = device_places(device_tree.root, count), *next = WORKLOAD_DEVICE(int, count);
	int *answer = WORKLOAD_DEVICE(int, count);
	WORKLOAD_CUDA(cudaMemcpy(device_record, record, keys * sizeof *record, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_wanted, wanted, count * sizeof *wanted, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemset(answer, NONE, count * sizeof *answer));

	workload_start(w);
	look_up<<<count, ORDER>>>(device_tree, device_record, device_wanted, at, next, answer);
	workload_stop(w);

	WORKLOAD_CUDA(cudaMemcpy(got, answer, count * sizeof *got, cudaMemcpyDeviceToHost));
	for (int i = 0; i < count; i++) {
		int rank = rank_of(key, keys, wanted[i]);
		want[i] = rank == NONE ? NONE : record[rank];
	}
	return workload_same_ints("record", got, want, count);
}

static bool run_ranges(struct workload *w, struct tree device_tree, const int *key, int keys, int count)
{
	size_t bytes = count * sizeof(struct range_query);
	struct range_query *query = WORKLOAD_HOST(struct range_query, count);
	struct range_query *device_query = WORKLOAD_DEVICE(struct range_query, count);
	for (int i = 0; i < count; i++) {
		int low = (int)workload_below(w, (uint32_t)keys);
		int high = low + (int)workload_below(w, (uint32_t)(keys - low));
		query[i] = {key[low], key[high], NONE, NONE};
	}
	WORKLOAD_CUDA(cudaMemcpy(device_query, query, bytes, cudaMemcpyHostToDevice));
	struct ends *at = (struct ends *)device_places(device_tree.root, 2 * (size_t)count);
	struct ends *next = WORKLOAD_DEVICE(struct ends, count);

	workload_start(w);
	look_up_range<<<count, ORDER>>>(device_tree, device_query, at, next);
	workload_stop(w);

	WORKLOAD_CUDA(cudaMemcpy(query, device_query, bytes, cudaMemcpyDeviceToHost));
	for (int i = 0; i < count; i++) {
		int got[2] = {query[i].first, query[i].last};
		int want[2] = {rank_of(key, keys, query[i].low), rank_of(key, keys, query[i].high)};
		if (!workload_same_ints("end of a range", got, want, 2))
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("b+tree", "look-ups and range queries in a B+ tree", param, 3, argc, argv);
	int keys = (int)workload_value(&w, "keys");
	int *key = WORKLOAD_HOST(int, keys);
	for (int i = 1; i < keys; i++)
		key[i] = key[i - 1] + 1 + (int)workload_below(&w, INT32_MAX / (uint32_t)keys - 1);
	struct tree t = build_tree(&w, key, keys), device_tree = t;
	device_tree.node = WORKLOAD_DEVICE(struct node, t.nodes);
	WORKLOAD_CUDA(cudaMemcpy(device_tree.node, t.node, t.nodes * sizeof(struct node), cudaMemcpyHostToDevice));
	bool found = run_lookups(&w, device_tree, key, keys, (int)workload_value(&w, "lookups"));
	return workload_close(&w, run_ranges(&w, device_tree, key, keys, (int)workload_value(&w, "ranges")) && found);
}
