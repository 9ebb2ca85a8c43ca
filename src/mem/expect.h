/* What the events of a cycle will look at, fetched by the host ahead of them and all at once. */
#ifndef SLUICE_MEM_EXPECT_H
#define SLUICE_MEM_EXPECT_H

#include "mem/worker.h"

/* The page is about to be read. Finds the sets of its requests: packet.set. */
void expect_page(const struct memory *memory, struct calendar_page *page);

#endif
