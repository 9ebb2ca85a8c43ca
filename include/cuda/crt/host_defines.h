/* Another name of host_defines.h. */
#include "../host_defines.h"
