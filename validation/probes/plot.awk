# Rows of series, value, the GPU's figure and ours become an SVG with a panel per series; both axes begin where they should:
# values are evenly spaced in the order given, figures start at 0, or at the least one if that is less.
{
	if (!($1 in rows))
		name[++panels] = $1
	row = ++rows[$1]
	value[$1, row] = $2
	gpu[$1, row] = $3
	ours[$1, row] = $4
	high = $3 > $4 ? $3 : $4
	top[$1] = high + 0 > top[$1] + 0 ? high : top[$1]
	low = $3 + 0 < $4 + 0 ? $3 : $4
	bottom[$1] = low + 0 < bottom[$1] + 0 ? low : bottom[$1]
}
function x_of(series, i) { return left + (rows[series] > 1 ? (i - 1) / (rows[series] - 1) : 0.5) * wide }
function y_of(series, figure,    range)
{
	range = top[series] - bottom[series]
	return above + tall - (range > 0 ? (figure - bottom[series]) / range : 0) * tall
}
END {
	columns = 4
	wide = 170; tall = 90; step_x = 230; step_y = 150
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"10\">\n",
		columns * step_x + 20, 30 + int((panels + columns - 1) / columns) * step_y
	print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
	printf "<text x=\"10\" y=\"16\" font-size=\"12\">%s: GPU (circles) and the machine h200 (line)</text>\n", set
	for (p = 1; p <= panels; p++) {
		series = name[p]
		left = 45 + (p - 1) % columns * step_x
		above = 45 + int((p - 1) / columns) * step_y
		printf "<text x=\"%d\" y=\"%d\">%s</text>\n", left, above - 6, series
		printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#bbb\"/>\n", left, above, wide, tall
		printf "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", left - 3, above + 8, top[series]
		printf "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", left - 3, above + tall, bottom[series] + 0
		printf "<text x=\"%d\" y=\"%d\">%s</text>\n", left, above + tall + 12, value[series, 1]
		printf "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", left + wide, above + tall + 12,
			value[series, rows[series]]
		line = ""
		for (i = 1; i <= rows[series]; i++) {
			printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"#c33\"/>\n", x_of(series, i), y_of(series, gpu[series, i])
			line = line sprintf("%.1f,%.1f ", x_of(series, i), y_of(series, ours[series, i]))
		}
		printf "<polyline points=\"%s\" fill=\"none\" stroke=\"#246\" stroke-width=\"1.5\"/>\n", line
	}
	print "</svg>"
}
