/* helper_math.h has it all. */
#include "helper_math.h"
