/* The guest's memory seen one element at a time: element moves, single generic addresses, watched changes. */
#include "cuda/executor/exec_access.h"
#include "cuda/executor/exec_mask.h"

/* ---- one element per lane ----------------------------------------------------------------------------- */

/* X(name, type in memory, type of the register); loads extend by the memory type's sign. */
/* clang-format off */
#define LOADS(X)                                                                                             \
	X(u8_2, uint8_t, mask_u16)                                                                           \
	X(s8_2, int8_t, mask_u16)                                                                            \
	X(u8_4, uint8_t, mask_u32)                                                                           \
	X(s8_4, int8_t, mask_u32)                                                                            \
	X(u8_8, uint8_t, mask_u64) X(s8_8, int8_t, mask_u64) X(u16_2, uint16_t, mask_u16)                    \
	    X(u16_4, uint16_t, mask_u32) X(s16_4, int16_t, mask_u32) X(u16_8, uint16_t, mask_u64)            \
	        X(s16_8, int16_t, mask_u64) X(u32_4, uint32_t, mask_u32) X(u32_8, uint32_t, mask_u64)        \
	            X(s32_8, int32_t, mask_u64) X(u64_8, uint64_t, mask_u64)
/* clang-format on */
/* clang-format off */
#define STORES(X)                                                                                            \
	X(2_u8, uint8_t, mask_u16)                                                                           \
	X(4_u8, uint8_t, mask_u32)                                                                           \
	X(8_u8, uint8_t, mask_u64)                                                                           \
	X(2_u16, uint16_t, mask_u16)                                                                         \
	X(4_u16, uint16_t, mask_u32) X(8_u16, uint16_t, mask_u64) X(4_u32, uint32_t, mask_u32)               \
	    X(8_u32, uint32_t, mask_u64) X(8_u64, uint64_t, mask_u64)
/* clang-format on */

#define LOAD_LANE(type, wide)                                                                                \
	{                                                                                                    \
		type v;                                                                                      \
		memcpy(&v, device_host(base + address[i]), sizeof v);                                        \
		((wide *)reg)[i] = (wide)v;                                                                  \
	}
#define DEFINE_LOAD(name, type, wide)                                                                        \
	static void load_##name(void *reg, const uint64_t *address, uint64_t base, uint64_t mask,            \
	                        unsigned lanes)                                                              \
	{                                                                                                    \
		if (mask == mask_of_lanes(lanes)) {                                                          \
			for (unsigned i = 0; i < lanes; i++)                                                 \
				LOAD_LANE(type, wide)                                                        \
			return;                                                                              \
		}                                                                                            \
		for (; mask; mask &= mask - 1) {                                                             \
			unsigned i = bits_lowest(mask);                                                      \
			LOAD_LANE(type, wide)                                                                \
		}                                                                                            \
	}
LOADS(DEFINE_LOAD)

#define STORE_LANE(type, wide)                                                                               \
	{                                                                                                    \
		type v = (type)((const wide *)reg)[i];                                                       \
		memcpy(device_host(base + address[i]), &v, sizeof v);                                        \
	}
#define DEFINE_STORE(name, type, wide)                                                                       \
	static void store_##name(void *reg, const uint64_t *address, uint64_t base, uint64_t mask,           \
	                         unsigned lanes)                                                             \
	{                                                                                                    \
		if (mask == mask_of_lanes(lanes)) {                                                          \
			for (unsigned i = 0; i < lanes; i++)                                                 \
				STORE_LANE(type, wide)                                                       \
			return;                                                                              \
		}                                                                                            \
		for (; mask; mask &= mask - 1) {                                                             \
			unsigned i = bits_lowest(mask);                                                      \
			STORE_LANE(type, wide)                                                               \
		}                                                                                            \
	}
STORES(DEFINE_STORE)

struct mover {
	access_move *move;
	uint8_t element_bytes, register_bytes;
	bool is_signed;
};

access_move *access_loader(unsigned element_bytes, unsigned register_bytes, bool is_signed)
{
#define ENTRY(name, type, wide) {load_##name, sizeof(type), sizeof(wide), (type)-1 < (type)1},
	static const struct mover movers[] = {LOADS(ENTRY)};
#undef ENTRY
	if (element_bytes == register_bytes)
		is_signed = false;
	for (size_t i = 0; i < sizeof movers / sizeof *movers; i++)
		if (movers[i].element_bytes == element_bytes && movers[i].register_bytes == register_bytes &&
		    movers[i].is_signed == is_signed)
			return movers[i].move;
	return NULL;
}

access_move *access_storer(unsigned element_bytes, unsigned register_bytes)
{
#define ENTRY(name, type, wide) {store_##name, sizeof(type), sizeof(wide), false},
	static const struct mover movers[] = {STORES(ENTRY)};
#undef ENTRY
	for (size_t i = 0; i < sizeof movers / sizeof *movers; i++)
		if (movers[i].element_bytes == element_bytes && movers[i].register_bytes == register_bytes)
			return movers[i].move;
	return NULL;
}

/* ---- one generic address ------------------------------------------------------------------------------ */

uint64_t access_guest_reach(struct run *run, const struct warp *w, unsigned lane, uint64_t address,
                            uint8_t **host)
{
	struct memory_range range;
	uint64_t offset = address - SHARED_WINDOW, limit = run->shared_bytes;
	*host = NULL;
	if (offset < WINDOW_BYTES) {
		*host = w->cta->shared + offset;
		return offset < limit ? limit - offset : 0;
	}
	offset = address - LOCAL_WINDOW;
	limit = run->kernel->local_limit;
	if (offset < WINDOW_BYTES) {
		uint64_t thread = (uint64_t)w->index * run->lanes + lane;
		*host = w->cta->local + thread * limit + offset;
		return offset < limit ? limit - offset : 0;
	}
	if (!device_memory_find(run->memory, address, &range))
		return 0;
	*host = device_host(address);
	return range.end - address;
}

uint8_t *access_guest(struct run *run, const struct warp *w, unsigned lane, uint64_t address, uint64_t bytes)
{
	uint8_t *host;
	return access_guest_reach(run, w, lane, address, &host) < bytes ? NULL : host;
}

/* ---- watched changes ---------------------------------------------------------------------------------- */

enum { ACCESS_MAX_BYTES = 16 };

void access_before_change(struct run *run, const uint64_t *host, uint64_t base, unsigned bytes, uint64_t mask)
{
	for (; mask && !run->progress.changed; mask &= mask - 1) {
		unsigned lane = bits_lowest(mask);
		memcpy(run->overwritten + (size_t)lane * ACCESS_MAX_BYTES, device_host(base + host[lane]),
		       bytes);
	}
}

void access_after_change(struct run *run, const uint64_t *host, uint64_t base, unsigned bytes, uint64_t mask,
                         uint64_t local)
{
	for (; mask && !run->progress.changed; mask &= mask - 1) {
		unsigned lane = bits_lowest(mask);
		bool changed = memcmp(run->overwritten + (size_t)lane * ACCESS_MAX_BYTES,
		                      device_host(base + host[lane]), bytes) != 0;
		if (local >> lane & 1)
			run->progress.changed_own |= changed;
		else
			run->progress.changed = changed;
	}
}
