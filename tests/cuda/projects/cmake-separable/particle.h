#pragma once
#include "v3.h"

void advance(v3 *device, int n, v3 by);
