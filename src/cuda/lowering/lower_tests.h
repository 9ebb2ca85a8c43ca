/* Conditions of lower.def about matrices, copies, barriers and clusters. Included by lower_rules.c alone. */
#ifndef SLUICE_CUDA_LOWER_TESTS_H
#define SLUICE_CUDA_LOWER_TESTS_H

TEST(TRANSPOSES)
{
	return i->flags & PTX_FLAG_TRANS;
}
TEST(LOADS)
{
	return i->mode == PTX_MODE_load;
}
TEST(LOADS_SHARED)
{
	return test_LOADS(f, i) && i->space == PTX_SPACE_shared;
}
TEST(LOADS_GLOBAL)
{
	return test_LOADS(f, i) && i->space == PTX_SPACE_global;
}
TEST(LOADS_ROWS)
{
	return test_LOADS_SHARED(f, i) && ptx_matrix_pieces(i).is_rows;
}
TEST(BULK)
{
	return i->flags & PTX_FLAG_BULK;
}
TEST(COMMITS)
{
	return i->mode == PTX_MODE_commit_group;
}
TEST(WAITS)
{
	return i->mode == PTX_MODE_wait_group || i->mode == PTX_MODE_wait_all;
}
TEST(COMMITS_BULK)
{
	return test_BULK(f, i) && test_COMMITS(f, i);
}
TEST(WAITS_BULK)
{
	return test_BULK(f, i) && test_WAITS(f, i);
}
TEST(PREFETCHES)
{
	return i->mode == PTX_MODE_prefetch;
}
TEST(STORES_BULK)
{
	return test_BULK(f, i) && i->space == PTX_SPACE_global;
}
static bool copies(const struct lower_facts *f, const struct ptx_insn *i, int64_t bytes)
{
	return i->mode == PTX_MODE_async && source_of(f, i, 2)->value == bytes;
}
TEST(COPIES_16)
{
	return copies(f, i, 16);
}
TEST(COPIES_8)
{
	return copies(f, i, 8);
}
TEST(COPIES_PAST_L1)
{
	return test_COPIES_16(f, i) && i->cache == PTX_CACHE_cg;
}
TEST(PENDS)
{
	return i->mode == PTX_MODE_pending_count;
}
TEST(WAITS_PHASE)
{
	return i->mode == PTX_MODE_test_wait || i->mode == PTX_MODE_try_wait;
}
TEST(STARTS_PHASES)
{
	return i->mode == PTX_MODE_init;
}
TEST(ENDS_PHASES)
{
	return i->mode == PTX_MODE_inval;
}
TEST(ACCUMULATES)
{
	return i->flags & PTX_FLAG_ACCUMULATE;
}
TEST(OF_PROXY)
{
	return i->mode == PTX_MODE_async;
}
TEST(OF_WAIT)
{
	return i->mode == PTX_MODE_wait;
}
TEST(OF_CLUSTER)
{
	return i->scope == PTX_SCOPE_cluster;
}
TEST(OF_CLUSTER_WAIT)
{
	return test_OF_CLUSTER(f, i) && test_OF_WAIT(f, i);
}
TEST(OF_CLUSTER_RELAXED)
{
	return test_OF_CLUSTER(f, i) && i->flags & PTX_FLAG_STRONG;
}
TEST(TO_TENSOR)
{
	return i->type == PTX_TYPE_tf32;
}
TEST(TO_BYTES)
{
	return i->type == PTX_TYPE_e4m3x2 || i->type == PTX_TYPE_e5m2x2;
}
TEST(TO_HALVES)
{
	return i->type2 == PTX_TYPE_e4m3x2 || i->type2 == PTX_TYPE_e5m2x2;
}

#endif
