/* Another name of nvToolsExt.h. */
#include "../nvToolsExt.h"
