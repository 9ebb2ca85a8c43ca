// The validation page: everything is made from the JSON that `sluice validate` put into it.

const data = JSON.parse(at("data").textContent);
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

// ---- small helpers ----------------------------------------------------------------------------------------

const signed = (value, digits) => (isNumber(value) ? (value > 0 ? "+" : "") + value.toFixed(digits) : "–");

// Tolerable errors by their unit.
const LIMITS = { percent: [5, 15], points: [1, 5] };

function grade(error, kind) {
	if (!isNumber(error) || !LIMITS[kind])
		return "";
	const size = Math.abs(error);
	return size <= LIMITS[kind][0] ? "good" : size <= LIMITS[kind][1] ? "" : size <= 2 * LIMITS[kind][1] ? "fair" : "poor";
}

const counterName = (name) => named(name, info[name]);

// ---- head -------------------------------------------------------------------------------------------------

function summaryOf(name, which, over) {
	return data.summary[which].find((row) => row.counter === name && (row.hardware_over !== null) === Boolean(over));
}

function addTile(value, text) {
	at("tiles").append(element("div", { class: "tile" }, element("b", {}, value), element("span", {}, text)));
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
	at("title").textContent = `${data.machine_title} against its model`;
	at("subtitle").textContent =
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

const signedError = ({ error }, kind) => `${signed(error, 2)}${isNumber(error) && kind === "percent" ? " %" : ""}`;

// Both axes of a scatter plot have the same range.
function domainOf(points, linear) {
	if (linear)
		return [0, 100];
	const values = points.flatMap((point) => [point.hardware, point.simulated]);
	return [Math.min(...values) / 1.3, Math.max(...values) * 1.3];
}

// A share of an axis for a value, and marks for its labels: powers of ten hide the fewest points.
function scaleOf([low, high], linear) {
	const share = linear ? (value) => (value - low) / (high - low) : (value) => Math.log(value / low) / Math.log(high / low);
	const marks = [];
	for (let power = Math.ceil(Math.log10(low)); !linear && 10 ** power <= high; power++)
		marks.push(10 ** power);
	return { share, marks: linear ? [0, 20, 40, 60, 80, 100] : marks };
}

const dimmed = (program) => (chosen && program !== chosen ? "m dim" : "m");

function drawScatter(place, { name, title, scale }, points) {
	const linear = scale === "linear", domain = domainOf(points, linear), { share, marks } = scaleOf(domain, linear);
	const box = frame(place, 330, `${title}: ${points.length} launches, simulated against hardware`, {}, TITLED), { svg, inner } = box;
	const x = (value) => inner.left + share(value) * (inner.right - inner.left), y = (value) => inner.bottom - share(value) * (inner.bottom - inner.top);
	axes(box, marks.map((mark) => [x(mark), brief.format(mark)]), marks.map((mark) => [y(mark), brief.format(mark)]), "hardware", "simulated");
	const off = (value, by) => Math.min(domain[1], Math.max(domain[0], linear ? value + 50 * by : value * (1 + by)));
	const edge = (by) => Array.from({ length: 21 }, (_, k) => {
		const value = linear ? domain[0] + (k / 20) * (domain[1] - domain[0]) : domain[0] * (domain[1] / domain[0]) ** (k / 20);
		return `${x(value).toFixed(1)} ${y(off(value, by)).toFixed(1)}`;
	});
	svg.append(drawn("path", { class: "band", d: `M${edge(-0.1).join("L")}L${edge(0.1).reverse().join("L")}z` }),
		drawn("path", { class: "edge", d: `M${edge(0).join("L")}` }));
	for (const point of points) {
		const [px, py] = [x(point.hardware).toFixed(1), y(point.simulated).toFixed(1)], number = linear ? (value) => fixed(value, 2) : count;
		const shape = point.group === "probe" ? `M${px} ${py}m0 -5l5 9h-10z` : `M${px} ${py}m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`;
		svg.append(tipOn(drawn("path", { class: dimmed(point.program), "data-program": point.program, d: shape, fill: colour(point.program) }),
			`${point.program}, launch ${point.launch}`, [["kernel", point.kernel], ["simulated", number(point.simulated)], ["hardware", number(point.hardware)],
				[linear ? "points" : "error", signedError(point, linear ? "points" : "percent")]]));
	}
	place.replaceChildren(svg);
}

const HISTOGRAM = { percent: { reach: 50, step: 2.5 }, points: { reach: 10, step: 0.5 } };

// Launches per bin and program; the outermost bins include all errors beyond the reach.
function binErrors(name, { reach, step }) {
	const bins = Array.from({ length: (2 * reach) / step }, () => new Map());
	for (const { program, error } of pointsOf(name)) {
		if (!isNumber(error))
			continue;
		const bin = bins[Math.floor((Math.max(-reach, Math.min(reach - step / 2, error)) + reach) / step)];
		bin.set(program, (bin.get(program) ?? 0) + 1);
	}
	return bins;
}

function drawHistogram(place, name) {
	const kind = kindOf(name), { reach, step } = HISTOGRAM[kind], unit = kind === "percent" ? "%" : "points", bins = binErrors(name, { reach, step });
	const box = frame(place, 260, `Launches by their error of ${name}`, {}, TITLED), { svg, inner } = box;
	const top = niceTop(Math.max(1, ...bins.map((bin) => sum([...bin.values()]))));
	const x = (error) => inner.left + ((error + reach) / (2 * reach)) * (inner.right - inner.left), y = (launches) => inner.bottom - (launches / top) * (inner.bottom - inner.top);
	const marks = Array.from({ length: 11 }, (_, k) => -reach + (k * reach) / 5), heights = [...new Set([0, 0.5, 1].map((share) => Math.round(share * top)))];
	axes(box, marks.map((mark) => [x(mark), signed(mark, 0)]), heights.map((mark) => [y(mark), count(mark)]),
		`error of ${name} (${unit}; beyond ±${reach} at the edge)`, "launches");
	bins.forEach((bin, k) => {
		const from = k * step - reach;
		let low = 0;
		for (const [program, launches] of bin) {
			svg.append(tipOn(drawn("rect", { class: dimmed(program), "data-program": program, x: x(from), width: x(from + step) - x(from), y: y(low + launches), height: y(low) - y(low + launches), fill: colour(program) }),
				program, [["error", `${signed(from, 1)} to ${signed(from + step, 1)} ${unit}`], ["launches", count(launches)]]));
			low += launches;
		}
	});
	svg.append(drawn("line", { class: "edge", x1: x(0), x2: x(0), y1: inner.top, y2: inner.bottom }));
	place.replaceChildren(svg);
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

function showPlots() {
	for (const scatter of SCATTERS) {
		const linear = scatter.scale === "linear", place = element("div");
		const points = pointsOf(scatter.name).filter((p) => isNumber(p.hardware) && isNumber(p.simulated) && (linear || (p.hardware > 0 && p.simulated > 0)));
		if (!points.length)
			continue;
		at("plots").append(element("figure", { class: "plot" }, element("figcaption", {}, scatter.title, element("span", {}, caption(scatter.name))), place));
		drawInto(place, () => drawScatter(place, scatter, points));
	}
}

const showHistogram = () => drawInto(at("histogram"), () => drawHistogram(at("histogram"), at("measure").value));

function spotlightProgram(program) {
	chosen = chosen === program ? "" : program;
	for (const button of document.querySelectorAll("#legend button"))
		button.setAttribute("aria-pressed", String(button.value === chosen));
	for (const mark of document.querySelectorAll(".plot .m"))
		mark.setAttribute("class", dimmed(mark.dataset.program));
	showLaunches();
}

function showLegend() {
	for (const program of programs) {
		const dot = element("i", { style: `background:${colour(program)}`, class: isProbe(program) ? "probe" : "" });
		const button = element("button", { type: "button", value: program, "aria-pressed": "false" }, dot, program);
		button.addEventListener("click", () => spotlightProgram(program));
		at("legend").append(button);
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
	const summary = at("summary");
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
	at("programs").append(buildTable(columns, data.programs));
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

// Errors sort by their size.
function sortKey(column, row) {
	const value = column.value(row);
	return isNumber(value) && (column.title === "error %" || column.title === "points") ? Math.abs(value) : value;
}

function showLaunches() {
	const words = at("filter").value.toLowerCase();
	const rows = data.launches.filter((r) => (!chosen || r.program === chosen) && `${r.program} ${r.kernel}`.toLowerCase().includes(words));
	if (order.column >= 0) {
		const column = LAUNCH_COLUMNS[order.column], sign = order.descending ? -1 : 1;
		rows.sort((a, b) => sign * compareValues(sortKey(column, a), sortKey(column, b)));
	}
	at("launches").replaceChildren(buildTable(LAUNCH_COLUMNS, rows, order));
}

// ---- start ------------------------------------------------------------------------------------------------

function fillMeasures() {
	const select = at("measure");
	for (const row of data.summary.applications)
		if (row.error_in !== "exact" && row.hardware_over === null)
			select.append(element("option", { value: row.counter }, row.counter));
	select.value = "cycles";
	select.addEventListener("change", showHistogram);
}

showHead();
showLegend();
fillMeasures();
showSummary();
showPrograms();
showLaunches();
showPlots();
showHistogram();
at("filter").addEventListener("input", showLaunches);
