/* cooperative_groups.h has it all. */
#include "../cooperative_groups.h"
