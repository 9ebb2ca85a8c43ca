/* The host's side of the generated functions, compiled as C by the host compiler. */
#define FUNCTION static __attribute__((unused))
#define CALLED FUNCTION __attribute__((noinline))
#include "runtime.h"

#include "bodies.inc"

uint64_t (*const host_bodies[])(const struct input *) = {
#define ENTRY(n) body_##n,
    BODIES(ENTRY)};
