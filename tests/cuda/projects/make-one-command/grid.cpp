#include "grid.h"

std::vector<unsigned char> glider(int side)
{
	std::vector<unsigned char> grid(side * side);
	const int cells[][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
	for (auto &cell : cells)
		grid[cell[1] * side + cell[0]] = 1;
	return grid;
}
