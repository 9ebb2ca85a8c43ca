#include "base/wheel.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void wheel_init(struct wheel *wheel)
{
	wheel->far = NULL;
	wheel->far_capacity = 0;
	wheel_reset(wheel, 0);
}

void wheel_free(struct wheel *wheel)
{
	free(wheel->far);
}

void wheel_reset(struct wheel *wheel, cycle_t base)
{
	wheel->base = base;
	wheel->far_count = 0;
	wheel->far_soonest = CYCLE_NEVER;
	memset(wheel->occupied, 0, sizeof wheel->occupied);
}

void wheel_push_far(struct wheel *wheel, cycle_t when, uint32_t event)
{
	if (wheel->far_count == wheel->far_capacity) {
		wheel->far_capacity = wheel->far_capacity ? wheel->far_capacity * 2 : 64;
		wheel->far = memory_grow(wheel->far, wheel->far_capacity, sizeof *wheel->far);
	}
	wheel->far[wheel->far_count++] = (struct wheel_far){when, event};
	if (when < wheel->far_soonest)
		wheel->far_soonest = when;
}

void wheel_admit(struct wheel *wheel, uint32_t *link)
{
	uint32_t kept = 0;
	cycle_t soonest = CYCLE_NEVER;
	wheel->far_soonest = CYCLE_NEVER;
	for (uint32_t i = 0; i < wheel->far_count; i++) {
		struct wheel_far far = wheel->far[i];
		if (far.when - wheel->base < WHEEL_SLOTS) {
			wheel_push(wheel, link, far.when, far.event);
			continue;
		}
		if (far.when < soonest)
			soonest = far.when;
		wheel->far[kept++] = far;
	}
	wheel->far_count = kept;
	wheel->far_soonest = soonest;
}

cycle_t wheel_next(const struct wheel *wheel)
{
	uint32_t ahead = bits_ring_next(wheel->occupied, WHEEL_WORDS, (uint32_t)wheel->base % WHEEL_SLOTS);
	cycle_t near = ahead < WHEEL_SLOTS ? wheel->base + ahead : CYCLE_NEVER;
	return near < wheel->far_soonest ? near : wheel->far_soonest;
}
