/*
 * Kernel files of Accel-Sim 2.0 in their binary form, .tracez: a header of text, zstd frames of instruction lines per warp, an
 * index at the end. They are read as the text that they stand for, CTA by CTA in the order of the index, so all other parts
 * see the lines of a .traceg. Memory does not depend on the file: dictionary and window have limits. Private to src/accelsim/.
 */
#ifndef SLUICE_ACCELSIM_TRACEZ_H
#define SLUICE_ACCELSIM_TRACEZ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct tracez;

/* Open the file `path`, which is open as `fd` and stays so; NULL with an error. */
struct tracez *tracez_open(int fd, const char *path, struct error *err);
void tracez_close(struct tracez *tracez);
/* Put up to `room` bytes of text at `to` and return their number in *bytes: 0 at the end. False: an error. */
bool tracez_read(struct tracez *tracez, char *to, size_t room, size_t *bytes, struct error *err);

#endif
