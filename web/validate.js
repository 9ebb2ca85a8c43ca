// The validation page: everything is made from the JSON that `sluice validate` put into it.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const programs = data.programs.map((entry) => entry.program);
const compared = data.launches.filter((launch) => launch.comparison);
const info = { ...data.definitions.counters, ...data.definitions.metrics };

// Hues that stay apart on white and on near-black.
const PALETTE = [
	"#3b82d6", "#e07b1a", "#2f9e5b", "#d64550", "#8a63d2", "#a0704f", "#d65aa6", "#7d8a97",
	"#a3a52a", "#1ba8b8", "#5b6ee1", "#c99a06", "#5fb236", "#f06a6a", "#b07be0", "#00917c",
];
const colour = (program) => PALETTE[programs.indexOf(program) % PALETTE.length];
const isProbe = (program) => program.startsWith("probe.");

let chosen = "";
const views = [];

// ---- small helpers ----------------------------------------------------------------------------------------

function element(tag, attributes = {}, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes))
		node.setAttribute(name, value);
	node.append(...children);
	return node;
}

const group = new Intl.NumberFormat("en-US");
const isNumber = (value) => typeof value === "number";
const count = (value) => (isNumber(value) ? group.format(value) : "–");
const fixed = (value, digits) => (isNumber(value) ? value.toFixed(digits) : "–");
const signed = (value, digits) => (isNumber(value) ? (value > 0 ? "+" : "") + value.toFixed(digits) : "–");
const cssColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// How far off is tolerable, by what the error is measured in.
const LIMITS = { percent: [5, 15], points: [1, 5] };

function grade(error, kind) {
	if (!isNumber(error) || !LIMITS[kind])
		return "";
	const size = Math.abs(error);
	return size <= LIMITS[kind][0] ? "good" : size <= LIMITS[kind][1] ? "" : size <= 2 * LIMITS[kind][1] ? "fair" : "poor";
}

function counterName(name) {
	const definition = info[name];
	const nsight = definition.nsight_compute ? `\n${definition.nsight_compute}` : "";
	return element("abbr", { title: `${definition.definition} (${definition.unit})${nsight}` }, name);
}

// ---- head -------------------------------------------------------------------------------------------------

function summaryOf(name, which, over) {
	return data.summary[which].find((row) => row.counter === name && (row.hardware_over !== null) === Boolean(over));
}

function addTile(value, text) {
	document.getElementById("tiles").append(element("div", { class: "tile" }, element("b", {}, value), element("span", {}, text)));
}

function addErrorTile(row, unit, text) {
	if (row && row.launches)
		addTile(`${fixed(row.mean_absolute_error, 2)} ${unit}`, text);
}

function addExactTile() {
	const rows = Object.values(data.summary).flat().filter((row) => row.error_in === "exact");
	const all = rows.reduce((sum, row) => sum + row.launches, 0);
	const equal = rows.reduce((sum, row) => sum + row.equal, 0);
	if (all)
		addTile(`${count(equal)}/${count(all)}`, "instruction, request and sector counts equal to the hardware's");
}

function showHead() {
	const changes = data.machine_changes.length ? `, with ${data.machine_changes.join(", ")}` : "";
	document.getElementById("title").textContent = `${data.machine_title} against its model`;
	document.getElementById("subtitle").textContent =
		`Machine ${data.machine}${changes}, policy ${data.policy}. ${data.launches.length} launches of ${programs.length} programs ` +
		`were simulated with cold caches, ${data.launches_compared} compared with hardware counters` +
		(data.status === "done" ? "." : "; a launch made no progress.");
	addErrorTile(summaryOf("cycles", "applications"), "%", "mean cycle error, applications");
	addErrorTile(summaryOf("cycles", "probe"), "%", "mean cycle error, probes");
	addErrorTile(summaryOf("l1_load_hit_rate", "applications"), "pt", "L1 load hit rate, applications");
	addErrorTile(summaryOf("l2_read_sectors", "applications", true), "%", "L2 read sectors, large application launches");
	addErrorTile(summaryOf("dram_read_bytes", "applications", true), "%", "DRAM bytes read, large application launches");
	addExactTile();
}

// ---- plots ------------------------------------------------------------------------------------------------

const SCATTERS = [
	{ name: "cycles", title: "Cycles", scale: "log" },
	{ name: "l1_load_hit_rate", title: "L1 load hit rate (%)", scale: "linear" },
	{ name: "l2_read_sectors", title: "L2 read sectors", scale: "log" },
	{ name: "dram_read_bytes", title: "DRAM bytes read", scale: "log" },
];

function theme() {
	const soft = cssColour("--soft"), line = cssColour("--line");
	return {
		background: null,
		font: getComputedStyle(document.body).fontFamily,
		view: { stroke: line },
		axis: { labelColor: soft, titleColor: soft, gridColor: line, domainColor: line, tickColor: line, gridOpacity: 0.6, titleFontWeight: 500 },
	};
}

function pointsOf(name) {
	return compared.filter((launch) => launch.comparison[name]).map((launch) => ({
		program: launch.program,
		group: launch.group,
		launch: launch.launch,
		kernel: launch.kernel,
		hardware: launch.comparison[name].hardware,
		simulated: launch.comparison[name].simulated,
		error: launch.comparison[name].error,
	}));
}

const colourChannel = () => ({ field: "program", type: "nominal", legend: null, scale: { domain: programs, range: programs.map(colour) } });
const spotlight = (value) => ({ condition: { test: "chosen === '' || datum.program === chosen", value }, value: 0.07 });

function tooltip(kind) {
	return [
		{ field: "program", title: "program" },
		{ field: "launch", title: "launch" },
		{ field: "kernel", title: "kernel" },
		{ field: "simulated", title: "simulated", format: kind === "points" ? ".2f" : ",d", type: "quantitative" },
		{ field: "hardware", title: "hardware", format: kind === "points" ? ".2f" : ",d", type: "quantitative" },
		{ field: "error", title: kind === "points" ? "points" : "error %", format: "+.2f", type: "quantitative" },
	];
}

function domainOf(points, scale) {
	if (scale === "linear")
		return [0, 100];
	const values = points.flatMap((point) => [point.hardware, point.simulated]);
	return [Math.min(...values) / 1.3, Math.max(...values) * 1.3];
}

// Powers of ten within the domain; lines between them would only hide the marks.
function decades([low, high]) {
	const values = [];
	for (let power = Math.ceil(Math.log10(low)); 10 ** power <= high; power++)
		values.push(10 ** power);
	return values;
}

function scatterSpec({ name, scale }) {
	const linear = scale === "linear";
	const points = pointsOf(name).filter((p) => isNumber(p.hardware) && isNumber(p.simulated) && (linear || (p.hardware > 0 && p.simulated > 0)));
	if (!points.length)
		return null;
	const domain = domainOf(points, scale);
	const ideal = domain.map((at) => ({ at, low: linear ? at - 5 : at * 0.9, high: linear ? at + 5 : at * 1.1 }));
	const axis = linear ? { format: "d", tickCount: 6 } : { format: "~s", values: decades(domain) };
	const channel = (field, title) => ({ field, type: "quantitative", title, axis, scale: { type: scale, domain, nice: false, clamp: false } });
	return {
		width: "container",
		height: 330,
		autosize: { type: "fit", contains: "padding" },
		params: [{ name: "chosen", value: chosen }],
		layer: [
			{
				data: { values: ideal },
				mark: { type: "area", color: cssColour("--band"), opacity: 0.1, clip: true },
				encoding: { x: channel("at", "hardware"), y: channel("low", "simulated"), y2: { field: "high" } },
			},
			{
				data: { values: ideal },
				mark: { type: "line", color: cssColour("--soft"), strokeWidth: 1, strokeDash: [4, 4], clip: true },
				encoding: { x: channel("at", "hardware"), y: channel("at", "simulated") },
			},
			{
				data: { values: points },
				mark: { type: "point", filled: true, size: 62, stroke: cssColour("--card"), strokeWidth: 0.6 },
				encoding: {
					x: channel("hardware", "hardware"),
					y: channel("simulated", "simulated"),
					color: colourChannel(),
					shape: { field: "group", type: "nominal", legend: null, scale: { domain: ["applications", "probe"], range: ["circle", "triangle-up"] } },
					opacity: spotlight(0.85),
					tooltip: tooltip(linear ? "points" : "percent"),
				},
			},
		],
		config: theme(),
	};
}

const HISTOGRAM = { percent: { reach: 50, step: 2.5 }, points: { reach: 10, step: 0.5 } };

// Launches per program and bin; what lies beyond the reach is put into the outermost bins.
function binErrors(name, reach, step) {
	const bins = new Map();
	for (const point of pointsOf(name)) {
		if (!isNumber(point.error))
			continue;
		const inside = Math.max(-reach, Math.min(reach - step / 2, point.error));
		const from = Math.floor(inside / step) * step;
		const key = `${point.program} ${from}`;
		const bin = bins.get(key) ?? { program: point.program, from, to: from + step, launches: 0 };
		bin.launches++;
		bins.set(key, bin);
	}
	return stack([...bins.values()]);
}

// Programs on top of each other; Vega-Lite does not stack bars that have both ends.
function stack(bins) {
	const height = new Map();
	for (const bin of bins) {
		bin.low = height.get(bin.from) ?? 0;
		bin.high = bin.low + bin.launches;
		height.set(bin.from, bin.high);
	}
	return bins;
}

function histogramSpec(name) {
	const kind = kindOf(name), { reach, step } = HISTOGRAM[kind], unit = kind === "percent" ? "%" : "points";
	const x = { field: "from", type: "quantitative", title: `error of ${name} (${unit}; beyond ±${reach} at the edge)`, scale: { domain: [-reach, reach] }, axis: { format: "+.1~f", tickCount: 11 } };
	return {
		width: "container",
		height: 260,
		autosize: { type: "fit", contains: "padding" },
		params: [{ name: "chosen", value: chosen }],
		layer: [
			{
				data: { values: binErrors(name, reach, step) },
				mark: { type: "rect", stroke: cssColour("--card"), strokeWidth: 0.8 },
				encoding: {
					x,
					x2: { field: "to" },
					y: { field: "low", type: "quantitative", title: "launches", axis: { tickMinStep: 1 } },
					y2: { field: "high" },
					color: colourChannel(),
					opacity: spotlight(0.9),
					tooltip: [{ field: "program" }, { field: "from", format: "+.1~f", type: "quantitative" }, { field: "to", format: "+.1~f", type: "quantitative" }, { field: "launches" }],
				},
			},
			{ data: { values: [{ at: 0 }] }, mark: { type: "rule", color: cssColour("--soft"), strokeDash: [4, 4] }, encoding: { x: { ...x, field: "at" } } },
		],
		config: theme(),
	};
}

async function embed(node, spec) {
	const result = await vegaEmbed(node, spec, { actions: false, renderer: "svg", tooltip: { theme: "custom" } });
	views.push(result.view);
}

// Mean errors; of large launches where small ones are summed up apart.
function caption(name) {
	const large = Boolean(summaryOf(name, "applications", true)), parts = [];
	for (const [which, title] of [["applications", "applications"], ["probe", "probes"]]) {
		const row = summaryOf(name, which, large);
		if (row?.launches)
			parts.push(`${title} ${fixed(row.mean_absolute_error, 2)} ${row.error_in === "points" ? "points" : "%"}`);
	}
	return (large ? "large launches: " : "") + parts.join(" · ");
}

async function showPlots() {
	const plots = document.getElementById("plots");
	views.splice(0).forEach((view) => view.finalize());
	plots.replaceChildren();
	for (const scatter of SCATTERS) {
		const spec = scatterSpec(scatter);
		if (!spec)
			continue;
		const holder = element("div");
		plots.append(element("figure", { class: "plot" }, element("figcaption", {}, scatter.title, element("span", {}, caption(scatter.name))), holder));
		await embed(holder, spec);
	}
	await embed("#histogram", histogramSpec(document.getElementById("measure").value));
}

function spotlightProgram(program) {
	chosen = chosen === program ? "" : program;
	for (const button of document.querySelectorAll("#legend button"))
		button.setAttribute("aria-pressed", String(button.value === chosen));
	views.forEach((view) => view.signal("chosen", chosen).runAsync());
	showLaunches();
}

function showLegend() {
	for (const program of programs) {
		const dot = element("i", { style: `background:${colour(program)}`, class: isProbe(program) ? "probe" : "" });
		const button = element("button", { type: "button", value: program, "aria-pressed": "false" }, dot, program);
		button.addEventListener("click", () => spotlightProgram(program));
		document.getElementById("legend").append(button);
	}
}

// ---- tables -----------------------------------------------------------------------------------------------

// columns: {title, text?: left-aligned, value: row => sort key, show?: row => text or node, grade?: row => class}
function buildTable(columns, rows, sort) {
	const head = element("tr");
	const body = element("tbody");
	columns.forEach((column, i) => {
		const cell = element("th", { class: column.text ? "text" : "", scope: "col" }, column.title);
		if (sort) {
			cell.tabIndex = 0;
			cell.addEventListener("click", () => sort.pick(i));
			cell.addEventListener("keydown", (event) => event.key === "Enter" && sort.pick(i));
			if (sort.column === i)
				cell.setAttribute("aria-sort", sort.descending ? "descending" : "ascending");
		}
		head.append(cell);
	});
	for (const row of rows) {
		const line = element("tr");
		for (const column of columns) {
			const value = column.value(row);
			const classes = [column.text ? "text" : "", column.grade ? column.grade(row) : ""].join(" ").trim();
			line.append(element("td", classes ? { class: classes } : {}, column.show ? column.show(row) : String(value ?? "–")));
		}
		body.append(line);
	}
	return element("table", { class: sort ? "sortable" : "" }, element("thead", {}, head), body);
}

function kindOf(name) {
	return data.summary.applications.find((row) => row.counter === name).error_in;
}

function where(row) {
	return row.worst ? `${row.worst.program} ${row.worst.launch}` : "–";
}

const SUM_COLUMNS = [
	{ title: "log Pearson", value: (r) => r.log_pearson, show: (r) => fixed(r.log_pearson, 4) },
	{ title: "error of the sum %", value: (r) => r.error_of_sum_percent, show: (r) => signed(r.error_of_sum_percent, 2) },
];

const ERROR_COLUMNS = (kind) => [
	{ title: "counter", text: true, value: (r) => r.counter, show: (r) => (r.hardware_over ? element("span", {}, counterName(r.counter), ` over ${count(r.hardware_over)}`) : counterName(r.counter)) },
	{ title: "launches", value: (r) => r.launches },
	{ title: "mean", value: (r) => r.mean_absolute_error, show: (r) => fixed(r.mean_absolute_error, 2), grade: (r) => grade(r.mean_absolute_error, kind) },
	{ title: "median", value: (r) => r.median_absolute_error, show: (r) => fixed(r.median_absolute_error, 2) },
	{ title: "P90", value: (r) => r.p90_absolute_error, show: (r) => fixed(r.p90_absolute_error, 2) },
	{ title: "worst", value: (r) => r.worst?.error, show: (r) => signed(r.worst?.error, 2) },
	{ title: "in launch", text: true, value: where, grade: () => "soft" },
	{ title: "bias", value: (r) => r.bias, show: (r) => signed(r.bias, 2) },
	{ title: "Pearson", value: (r) => r.pearson, show: (r) => fixed(r.pearson, 4) },
	...(kind === "points" ? [] : SUM_COLUMNS),
];

const EXACT_COLUMNS = [
	{ title: "counter", text: true, value: (r) => r.counter, show: (r) => counterName(r.counter) },
	{ title: "launches", value: (r) => r.launches },
	{ title: "equal", value: (r) => r.equal, grade: (r) => (r.equal === r.launches ? "good" : "fair") },
	{ title: "largest difference", value: (r) => r.worst?.error, show: (r) => (r.equal === r.launches ? "0" : signed(r.worst.error, 0)) },
	{ title: "in launch", text: true, value: (r) => (r.equal === r.launches ? "–" : where(r)), grade: () => "soft" },
];

function showSummary() {
	const summary = document.getElementById("summary");
	const titles = { percent: "absolute error in percent", points: "absolute difference in percentage points", exact: "decided by the trace: equal or wrong" };
	for (const [name, rows] of Object.entries(data.summary)) {
		for (const kind of ["percent", "points", "exact"]) {
			const some = rows.filter((row) => row.error_in === kind && row.launches);
			if (!some.length)
				continue;
			summary.append(element("h3", {}, `${name === "probe" ? "Probes" : "Applications"}: ${titles[kind]}`));
			summary.append(element("div", { class: "scroll" }, buildTable(kind === "exact" ? EXACT_COLUMNS : ERROR_COLUMNS(kind), some)));
		}
	}
}

function showPrograms() {
	const columns = [
		{ title: "program", text: true, value: (r) => r.program },
		{ title: "launches", value: (r) => r.cycles.launches },
		{ title: "mean absolute error %", value: (r) => r.cycles.mean_absolute_error, show: (r) => fixed(r.cycles.mean_absolute_error, 2), grade: (r) => grade(r.cycles.mean_absolute_error, "percent") },
		{ title: "bias %", value: (r) => r.cycles.bias, show: (r) => signed(r.cycles.bias, 2) },
		{ title: "worst %", value: (r) => r.cycles.worst?.error, show: (r) => signed(r.cycles.worst?.error, 2) },
	];
	document.getElementById("programs").append(buildTable(columns, data.programs));
}

const pair = (launch, name) => launch.comparison?.[name] ?? {};

function triple(name, title, kind) {
	const number = kind === "points" ? (value) => fixed(value, 2) : count;
	return [
		{ title, value: (r) => (r.comparison ? pair(r, name).simulated : r.counters[name]), show: (r) => number(r.comparison ? pair(r, name).simulated : r.counters[name]) },
		{ title: "hardware", value: (r) => pair(r, name).hardware, show: (r) => number(pair(r, name).hardware), grade: () => "soft" },
		{ title: kind === "points" ? "points" : "error %", value: (r) => pair(r, name).error, show: (r) => signed(pair(r, name).error, kind === "points" ? 2 : 1), grade: (r) => grade(pair(r, name).error, kind) },
	];
}

const unequal = (launch) => Object.entries(launch.comparison ?? {}).filter(([name, entry]) => kindOf(name) === "exact" && entry.error !== 0);

const LAUNCH_COLUMNS = [
	{ title: "program", text: true, value: (r) => r.program },
	{ title: "launch", value: (r) => r.launch },
	{ title: "kernel", text: true, value: (r) => r.kernel },
	...triple("cycles", "cycles", "percent"),
	{ title: "counts", text: true, value: (r) => unequal(r).length, show: (r) => (r.comparison ? unequal(r).map(([name, entry]) => `${name} ${signed(entry.error, 0)}`).join(", ") || "equal" : r.status === "done" ? "not compared" : r.status), grade: (r) => (!r.comparison ? "soft" : unequal(r).length ? "fair" : "good") },
	...triple("l1_load_hit_rate", "L1 hit %", "points"),
	...triple("l2_read_sectors", "L2 read sectors", "percent"),
	...triple("dram_read_bytes", "DRAM read B", "percent"),
];

const order = { column: -1, descending: false, pick(column) {
	this.descending = this.column === column ? !this.descending : !LAUNCH_COLUMNS[column].text;
	this.column = column;
	showLaunches();
} };

function compareValues(a, b) {
	if (isNumber(a) && isNumber(b))
		return a - b;
	if (typeof a === "string" && typeof b === "string")
		return a.localeCompare(b, "en");
	return isNumber(b) - isNumber(a);
}

// Errors sort by their size: the worst first is what one looks for.
function sortKey(column, row) {
	const value = column.value(row);
	return isNumber(value) && (column.title === "error %" || column.title === "points") ? Math.abs(value) : value;
}

function showLaunches() {
	const words = document.getElementById("filter").value.toLowerCase();
	const rows = data.launches.filter((r) => (!chosen || r.program === chosen) && `${r.program} ${r.kernel}`.toLowerCase().includes(words));
	if (order.column >= 0) {
		const column = LAUNCH_COLUMNS[order.column], sign = order.descending ? -1 : 1;
		rows.sort((a, b) => sign * compareValues(sortKey(column, a), sortKey(column, b)));
	}
	document.getElementById("launches").replaceChildren(buildTable(LAUNCH_COLUMNS, rows, order));
}

// ---- start ------------------------------------------------------------------------------------------------

function fillMeasures() {
	const select = document.getElementById("measure");
	for (const row of data.summary.applications)
		if (row.error_in !== "exact" && row.hardware_over === null)
			select.append(element("option", { value: row.counter }, row.counter));
	select.value = "cycles";
	select.addEventListener("change", showPlots);
}

showHead();
showLegend();
fillMeasures();
showSummary();
showPrograms();
showLaunches();
showPlots();
document.getElementById("filter").addEventListener("input", showLaunches);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showPlots);
