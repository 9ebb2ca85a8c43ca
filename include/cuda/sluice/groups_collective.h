/*
 * What the threads of a group compute together: partitions by a label,
 * reductions and scans. Part of cooperative_groups.h.
 */

namespace cooperative_groups
{

/* ---- partitions ------------------------------------------------------------------------------------------- */

/* The threads that have the same label; groups are numbered by their lowest lane. */
template <class Group, class Label>
SLUICE_CG coalesced_group labeled_partition(const Group &group, Label label)
{
	unsigned int members = group.lanes(), same = __match_any_sync(members, label) & members;
	unsigned int leaders =
	    __ballot_sync(members, details::lane() == (unsigned int)__ffs((int)same) - 1) & members;
	unsigned int below = (1u << (__ffs((int)same) - 1)) - 1;
	return coalesced_group(same, (unsigned int)__popc(leaders & below), (unsigned int)__popc(leaders));
}

template <class Group> SLUICE_CG coalesced_group binary_partition(const Group &group, bool predicate)
{
	unsigned int members = group.lanes(), yes = __ballot_sync(members, predicate) & members;
	unsigned int count = (yes != 0) + (yes != members);
	return coalesced_group(predicate ? yes : members & ~yes, predicate && count == 2 ? 1 : 0, count);
}

SLUICE_CG coalesced_group tiled_partition(const coalesced_group &parent, unsigned int tile)
{
	unsigned int members = 0, rank = 0, mine = parent.thread_rank() / tile;
	for (unsigned int rest = parent.lanes(); rest; rest &= rest - 1, rank++)
		if (rank / tile == mine)
			members |= rest & -rest;
	return coalesced_group(members, mine, (parent.size() + tile - 1) / tile);
}

/* ---- operators -------------------------------------------------------------------------------------------- */

#define SLUICE_CG_OPERATOR(name, expression)                                                                 \
	template <class T = void> struct name {                                                              \
		SLUICE_CG T operator()(const T &a, const T &b) const                                         \
		{                                                                                            \
			return expression;                                                                   \
		}                                                                                            \
	};                                                                                                   \
	template <> struct name<void> {                                                                      \
		template <class T> SLUICE_CG T operator()(const T &a, const T &b) const                      \
		{                                                                                            \
			return expression;                                                                   \
		}                                                                                            \
	};
SLUICE_CG_OPERATOR(plus, a + b)
SLUICE_CG_OPERATOR(less, b < a ? b : a)
SLUICE_CG_OPERATOR(greater, a < b ? b : a)
SLUICE_CG_OPERATOR(bit_and, a &b)
SLUICE_CG_OPERATOR(bit_or, a | b)
SLUICE_CG_OPERATOR(bit_xor, a ^ b)
#undef SLUICE_CG_OPERATOR

namespace details
{

template <class Group> struct is_large {
	static const bool value = false;
};
template <unsigned int N, class Parent> struct is_large<thread_block_tile<N, Parent>> {
	static const bool value = N > 32;
};

template <class Group, class T, class Op> SLUICE_CG T scan_ranks(const Group &group, T value, Op op)
{
	for (unsigned int distance = 1; distance < group.size(); distance *= 2) {
		T before = group.shfl_up(value, distance);
		if (group.thread_rank() >= distance)
			value = op(before, value);
	}
	return value;
}

template <bool is_large> struct collective {
	template <unsigned int N, class Parent, class T, class Op>
	static SLUICE_CG T reduce(const thread_block_tile<N, Parent> &tile, T value, Op op)
	{
		for (unsigned int distance = N / 2; distance; distance /= 2)
			value = op(value, tile.shfl_xor(value, distance));
		return value;
	}
	/* After a step, a thread has the values of its rank and of the `distance` behind it, as far as there are. */
	template <class T, class Op> static SLUICE_CG T reduce(const coalesced_group &group, T value, Op op)
	{
		for (unsigned int distance = 1; distance < group.size(); distance *= 2) {
			T behind = group.shfl_down(value, distance);
			if (group.thread_rank() + distance < group.size())
				value = op(value, behind);
		}
		return group.shfl(value, 0);
	}
	template <class Group, class T, class Op> static SLUICE_CG T scan(const Group &group, T value, Op op)
	{
		return scan_ranks(group, value, op);
	}
	template <class Group, class T> static SLUICE_CG T before(const Group &group, T value)
	{
		T left = group.shfl_up(value, 1);
		return group.thread_rank() ? left : T();
	}
};

template <> struct collective<true> {
	template <class Tile, class T, class Op> static SLUICE_CG T reduce(const Tile &tile, T value, Op op)
	{
		thread_block_tile<32> warp;
		return tile.over_warps(collective<false>::reduce(warp, value, op), op);
	}
	template <class Tile, class T, class Op> static SLUICE_CG T scan(const Tile &tile, T value, Op op)
	{
		thread_block_tile<32> warp;
		T scanned = scan_ranks(warp, value, op);
		unsigned int warps = tile.thread_rank() / 32;
		T earlier = tile.over_some_warps(warp.shfl(scanned, 31), warps, op);
		return warps ? op(earlier, scanned) : scanned;
	}
	template <class Tile, class T> static SLUICE_CG T before(const Tile &tile, T value)
	{
		thread_block_tile<32> warp;
		T last = warp.shfl(value, 31), left = warp.shfl_up(value, 1);
		unsigned int warps = tile.thread_rank() / 32;
		T of_warp = tile.over_some_warps(last, warps, [](const T &, const T &b) { return b; });
		return lane() ? left : warps ? of_warp : T();
	}
};

} // namespace details

/* ---- reductions and scans ----------------------------------------------------------------------------------- */

template <class Group, class T, class Op> SLUICE_CG T reduce(const Group &group, T value, Op op)
{
	return details::collective<details::is_large<Group>::value>::reduce(group, value, op);
}

template <class Group, class T, class Op> SLUICE_CG T inclusive_scan(const Group &group, T value, Op op)
{
	return details::collective<details::is_large<Group>::value>::scan(group, value, op);
}

template <class Group, class T> SLUICE_CG T inclusive_scan(const Group &group, T value)
{
	return inclusive_scan(group, value, plus<T>());
}

/* The first thread gets T(). */
template <class Group, class T, class Op> SLUICE_CG T exclusive_scan(const Group &group, T value, Op op)
{
	return details::collective<details::is_large<Group>::value>::before(group,
	                                                                    inclusive_scan(group, value, op));
}

template <class Group, class T> SLUICE_CG T exclusive_scan(const Group &group, T value)
{
	return exclusive_scan(group, value, plus<T>());
}

/* Reductions of a whole group that end in memory, or in an atomic. */
template <class Group, class T, class Op>
SLUICE_CG void reduce_store_async(const Group &group, T *to, T value, Op op)
{
	T result = reduce(group, value, op);
	if (group.thread_rank() == 0)
		*to = result;
}

/* ---- copies by a group -------------------------------------------------------------------------------------- */

/* Every thread copies its share of words; wait() makes the whole visible to the group. */
template <class Group>
SLUICE_CG void memcpy_async(const Group &group, void *to, const void *from, size_t bytes)
{
	size_t words = ((size_t)to | (size_t)from) % 4 ? 0 : bytes / 4;
	for (size_t i = group.thread_rank(); i < words; i += group.size())
		((unsigned int *)to)[i] = ((const unsigned int *)from)[i];
	for (size_t i = words * 4 + group.thread_rank(); i < bytes; i += group.size())
		((char *)to)[i] = ((const char *)from)[i];
}

template <class Group, class T>
SLUICE_CG void memcpy_async(const Group &group, T *to, size_t to_count, const T *from, size_t from_count)
{
	size_t count = to_count < from_count ? to_count : from_count;
	memcpy_async(group, (void *)to, (const void *)from, count * sizeof(T));
}

template <class Group> SLUICE_CG void wait(const Group &group)
{
	group.sync();
}

template <unsigned int stages, class Group> SLUICE_CG void wait_prior(const Group &group)
{
	group.sync();
}

} // namespace cooperative_groups
