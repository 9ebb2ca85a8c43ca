#pragma once
#include <vector>

std::vector<unsigned char> glider(int side);
extern "C" double seconds(void);
