#ifndef STENCIL_HPP
#define STENCIL_HPP
template <typename T> class Grid
{
      public:
	Grid(int width, int height);
	~Grid();
	void smooth();
	T at(int x, int y) const;
	int width, height;

      private:
	T *now, *next;
};
#endif
