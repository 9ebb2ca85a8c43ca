/*
 * The way of replies through a crossbar whose inputs queue: every slice sends
 * one reply at a time and in order, every SM receives one at a time. A reply
 * whose SM is busy holds up those behind it, whatever SM they go to (head-of-line
 * blocking), which is what keeps such a crossbar from the sum of its links.
 *
 * Slices push while memory runs, each to its own input; one thread passes the
 * replies on between two quanta. Times are those of arrival at the SM.
 */
#ifndef SLUICE_ICNT_REPLY_SWITCH_H
#define SLUICE_ICNT_REPLY_SWITCH_H

#include <stdbool.h>

#include "icnt/link.h"
#include "icnt/packet.h"

/* Replies of one slice, by time. */
struct reply_queue {
	struct reply *item;
	uint32_t head, count, capacity; /* the first is item[head]; they do not wrap */
	fine_t free;                    /* its link takes the next */
};

struct reply_switch {
	uint32_t inputs, outputs;
	struct reply_queue *input; /* per slice; owned */
	fine_t *output_free;       /* per SM; owned */
	struct link link;
};

void reply_switch_init(struct reply_switch *sw, const struct machine *machine, uint32_t slices);
void reply_switch_free(struct reply_switch *sw);
/* Forgets all replies; every link is free. */
void reply_switch_reset(struct reply_switch *sw);
/* Takes over a reply of `slice` that would arrive at reply->when, were every link free. */
void reply_switch_push(struct reply_switch *sw, uint32_t slice, const struct reply *reply);
/*
 * Passes on what can arrive before `horizon`, in order of arrival: calls
 * send(user, slice, reply) with the time of arrival in reply->when. Nothing that
 * would arrive before `horizon` may be pushed afterwards.
 */
void reply_switch_pass(struct reply_switch *sw, cycle_t horizon,
                       void (*send)(void *user, uint32_t slice, const struct reply *reply), void *user);
/* Some replies have not been passed on. */
bool reply_switch_holds(const struct reply_switch *sw);

#endif
