# Rows of series, value, the GPU's figure and ours become the document of a chart with a panel per series, for `sluice chart`:
# jq -nR --arg set NAME -f plot.jq ROWS | sluice chart -
[inputs | split("\t")] as $rows
| {
	kind: "grid",
	title: "\($set): GPU (rings) and the machine h200 (line)",
	panels: [
		reduce $rows[] as $row ([]; if index($row[0]) then . else . + [$row[0]] end)
		| .[] as $series
		| [$rows[] | select(.[0] == $series)] as $own
		| {
			label: $series,
			x: [$own[][1]],
			series: [{values: [$own[][3] | tonumber], published: [$own[][2] | tonumber]}]
		}
	]
}
