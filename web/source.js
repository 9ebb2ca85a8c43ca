// What source lines and instructions cost, side by side.

const stallText = (name) => reasonText(name);
const METRICS = [
	{ name: "stalls", title: "stalls", share: (run) => run.lines.stalls, doc: "warp-cycles that warps waited before they issued it, of all such cycles" },
	{ name: "misses", title: "L1 misses", share: (run) => run.lines.total, doc: "sectors that loads missed in L1, of all missed sectors" },
	{ name: "issued", title: "issued", doc: "warp instructions" },
	{ name: "width", title: "sectors/req.", value: (row) => (row.requests ? row.sectors / row.requests : null), digits: 1, doc: "distinct sectors of a request to global or local memory; 4 where lanes read neighbouring words" },
	{ name: "active", title: "lanes", value: (row) => (row.issued ? row.lanes / row.issued : null), digits: 1, doc: "active lanes of a warp instruction, on average: fewer than the warp has after divergence" },
];
const valueOf = (metric, row) => (!row ? null : metric.value ? metric.value(row) : row[metric.name] ?? null);
const hasCosts = runs.some((run) => run.lines.instructions.length);
const shownMetrics = hasCosts ? METRICS : METRICS.slice(1, 2);
const source = { metric: shownMetrics[0], sort: null, down: true, picked: null };

// The columns: of one run its measures, of several runs one measure each.
const sourceColumns = () => (several ? runs.map((run, i) => ({ run, i, metric: source.metric, title: run.policy })) : shownMetrics.map((metric) => ({ run: runs[0], i: 0, metric, title: metric.title })));

// { key: { row..., by: [row of run 0, ...] } }
function joined(rowsOf, keyOf) {
	const all = new Map();
	runs.forEach((run, i) => rowsOf(run).forEach((row) => {
		const key = keyOf(row, run), known = all.get(key) || { ...row, key, by: Array(runs.length).fill(null) };
		known.by[i] = row;
		all.set(key, known);
	}));
	return all;
}
const placeKey = (row) => (row.file !== null ? `${row.file}:${row.line}` : `${row.kernel}|${row.line ?? row.pc}`);
const codeLines = joined((run) => run.lines.rows, placeKey);
const codeInsns = joined((run) => run.lines.instructions, (row) => `${row.kernel}|${row.pc}`);
runs.forEach((run) => run.lines.instructions.forEach((row) => {
	codeInsns.get(`${row.kernel}|${row.pc}`).line = row.place === null ? null : placeKey(run.lines.rows[row.place]);
}));

const largest = new Map();
function largestOf({ metric, run }, entries) {
	const key = `${metric.name} ${runs.indexOf(run)} ${entries === codeInsns}`;
	if (!largest.has(key))
		largest.set(key, Math.max(1e-9, ...[...entries.values()].map((entry) => valueOf(metric, entry.by[runs.indexOf(run)]) || 0)));
	return largest.get(key);
}

function costTip(row, run) {
	const reasons = Object.entries(row.reasons || {}).sort((a, b) => b[1] - a[1]).slice(0, 6).map(([name, value]) => [stallText(name), `${count(value)} (${percent(value, row.stalls)})`, hueOf(name)]);
	return [...(row.stalls !== undefined ? [["waited", `${count(row.stalls)} warp-cycles, ${percent(row.stalls, run.lines.stalls)}`]] : []), ...reasons,
		["L1 sectors missed", `${count(row.misses)}, ${percent(row.misses, run.lines.total)}`], ...(row.requests ? [["requests, sectors", `${count(row.requests)}, ${count(row.sectors)}`]] : []),
		...(row.issued ? [["warp instructions", count(row.issued)], ["active lanes", fixed(row.lanes / row.issued, 1)]] : []), ...(row.opcodes ? [["instructions", row.opcodes.slice(0, 8).join(", ")]] : [])];
}

// A bar of stall reasons for stalls, of one colour for what else is a share.
function costCell(column, entry, entries) {
	const { metric, run, i } = column, row = entry?.by[i], value = valueOf(metric, row);
	if (!isNumber(value) || !value)
		return element("td", {}, "");
	const text = metric.share ? percent(value, metric.share(run)) : metric.value ? value.toFixed(metric.digits) : count(value);
	const width = (100 * value) / largestOf(column, entries);
	const parts = metric.name === "stalls" ? Object.entries(row.reasons).sort((a, b) => b[1] - a[1]).map(([name, part]) => element("i", { class: "m", style: `width: ${(width * part) / value}%; background: ${hueOf(name)}` }))
		: [element("i", { class: "m", style: `width: ${width}%; background: ${several ? runHue(i) : metric.name === "misses" ? "var(--poor)" : "var(--bar)"}` })];
	const cell = element("td", {}, text, ...(metric.share ? [element("span", { class: "heat", "aria-hidden": "true" }, ...parts)] : []));
	return tipOn(cell, several ? run.policy : metric.title, costTip(row, run));
}

function sortButton(column, sortable) {
	const name = several ? column.run.policy : column.metric.name, on = source.sort === name;
	const button = element("button", { type: "button", class: "link", title: column.metric.doc, "aria-pressed": `${on}` }, column.title + (on ? (source.down ? " ▾" : " ▴") : ""));
	button.addEventListener("click", () => {
		source.down = on ? !source.down : true;
		source.sort = on && source.down ? null : name;
		fillSource();
		[...document.querySelectorAll("#lines-table th button")].find((other) => other.textContent.startsWith(column.title))?.focus();
	});
	return element("th", { scope: "col", "aria-sort": on ? (source.down ? "descending" : "ascending") : "none" }, sortable ? button : column.title);
}

function sorted(rows) {
	const column = sourceColumns().find(({ run, metric }) => source.sort === (several ? run.policy : metric.name));
	if (!column)
		return rows;
	const value = ({ entry }) => valueOf(column.metric, entry?.by[column.i]) || 0;
	return rows.filter((row) => value(row)).sort((a, b) => (source.down ? value(b) - value(a) : value(a) - value(b)));
}

function pick(line) {
	source.picked = source.picked === line ? null : line;
	for (const row of document.querySelectorAll("#lines-table tr[data-line]"))
		row.classList.toggle("picked", source.picked !== null && row.dataset.line === source.picked);
	const panes = [...document.querySelectorAll("#lines-table .pane")];
	for (const pane of source.picked === null ? [] : panes) {
		const row = pane.querySelector("tr.picked");
		if (row)
			pane.scrollTop += row.getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight / 3;
	}
}

function pickable(row, line) {
	if (!line)
		return row;
	row.dataset.line = line;
	row.classList.toggle("picked", source.picked === line);
	row.addEventListener("click", () => pick(line));
	return row;
}

// A number that picks the line, for the keyboard, too.
function pickButton(text, line) {
	if (!line || !hasCosts)
		return text;
	return element("button", { type: "button", class: "link plain", "aria-label": `show the instructions of line ${text}` }, text);
}

function sourcePane(title, rows, firstTitle, entries) {
	const columns = sourceColumns();
	const head = element("tr", {}, element("th", { scope: "col", class: "text" }, firstTitle), element("th", { scope: "col", class: "text" }, title), ...columns.map((column) => sortButton(column, hasCosts)));
	const body = [];
	let before = 0;
	for (const { number, entry, text, line, first } of sorted(rows)) {
		if (!source.sort && number && before && number > before + 1)
			body.push(element("tr", { class: "gap" }, element("td", {}, "⋮"), element("td", { colspan: columns.length + 1 })));
		body.push(pickable(element("tr", {}, element("td", { class: "number" }, pickButton(first, line)), element("td", { class: "source" }, text), ...columns.map((column) => costCell(column, entry, entries))), line));
		before = number || 0;
	}
	return element("div", { class: "card scroll tall pane", tabindex: "0", role: "region", "aria-label": title }, element("table", { class: "code" }, element("thead", {}, head), element("tbody", {}, ...body)));
}

function sourcePanes() {
	const panes = [], others = [], weight = (file) => Math.max(0, ...[...codeLines.values()].filter((entry) => entry.file === file).map((entry) => Math.max(...entry.by.map((row) => row?.stalls || row?.misses || 0))));
	const most = Math.max(...data.sources.map((_, number) => weight(number)));
	data.sources.map((file, number) => ({ file, number })).filter(({ file }) => file.lines.length).sort((a, b) => weight(b.number) - weight(a.number)).forEach(({ file, number }) =>
		(weight(number) >= most / 100 ? panes : others).push(sourcePane(file.name, file.lines.map(([line, text]) => ({ number: line, first: `${line}`, entry: codeLines.get(`${number}:${line}`), text, line: codeLines.has(`${number}:${line}`) ? `${number}:${line}` : null })), "line", codeLines)));
	if (others.length)
		panes.push(element("details", {}, element("summary", {}, `${count(others.length)} more ${others.length === 1 ? "file" : "files"} with little of it`), ...others));
	const rest = [...codeLines.values()].filter((entry) => entry.file === null || !data.sources[entry.file].lines.length).map((entry) => ({
		first: `${entry.line ?? entry.pc}`, entry, line: entry.key,
		text: `${entry.file !== null ? `${data.sources[entry.file].name}:${entry.line}` : entry.line === null ? `${kernelText(entry.kernel)}, PC ${entry.pc}` : `${kernelText(entry.kernel)}, line ${entry.line}`}   ${(entry.opcodes || []).slice(0, 6).join(", ")}`,
	}));
	// Where no line is known at all, the instructions say the same.
	if (rest.length && !(hasCosts && rest.every(({ entry }) => entry.line === null)))
		panes.push(sourcePane("without source at hand", rest, "line", codeLines));
	return panes;
}

function instructionPanes() {
	const kernels = [...new Set([...codeInsns.values()].map(({ kernel }) => kernel))];
	const weight = (kernel) => sum([...codeInsns.values()].filter((entry) => entry.kernel === kernel).map((entry) => Math.max(...entry.by.map((row) => row?.stalls || 0))));
	return kernels.sort((a, b) => weight(b) - weight(a)).map((kernel) => sourcePane(kernelText(kernel), [...codeInsns.values()].filter((entry) => entry.kernel === kernel)
		.map((entry) => ({ first: entry.pc.replace(/^0x/, ""), entry, text: entry.opcode, line: entry.line })), "PC", codeInsns));
}

function fillSource() {
	const left = sourcePanes(), right = hasCosts ? instructionPanes() : [];
	at("lines-table").replaceChildren(...(left.length ? [element("div", { class: "panes" }, ...left)] : []), ...(right.length ? [element("div", { class: "panes" }, ...right)] : []));
	at("lines-table").classList.toggle("in-two-columns", left.length > 0 && right.length > 0);
	if (!left.length && !right.length)
		at("lines-table").append(element("div", { class: "card" }, absent("No load missed L1.")));
}

function showLines() {
	const left = Math.max(...runs.map((run) => run.lines.left_out)), more = Math.max(...runs.map((run) => run.lines.instructions_left_out));
	at("lines-note").textContent = hasCosts
		? `Source lines, and the instructions that they became. Stalls are cycles that warps waited before they issued an instruction, charged to what they waited for last. Pick a line to see its instructions; a column's title sorts. Source is shown as the file reads now.${left ? ` ${count(left)} lines with fewer stalls are left out.` : ""}${more ? ` ${count(more)} instructions are left out.` : ""}`
		: `L1 sectors that loads missed, by the line of the program that loads them; of each launch, the 100 instructions with the most. Source is shown as the file reads now.${left ? ` ${count(left)} lines with fewer misses are left out.` : ""}`;
	at("lines-metric").hidden = !several || !hasCosts;
	const select = element("select", {}, ...shownMetrics.map((metric) => element("option", { value: metric.name }, metric.title)));
	select.addEventListener("change", () => {
		source.metric = shownMetrics.find(({ name }) => name === select.value);
		fillSource();
	});
	at("lines-metric").append(element("label", {}, "Show ", select));
	const used = Object.keys(HUES).filter((name) => runs.some((run) => run.lines.rows.some((row) => row.reasons?.[name])));
	at("lines-keys").replaceChildren(...used.map((name) =>
		element("span", {}, element("i", { style: `background: ${hueOf(name)}` }), name === "not_selected" ? element("abbr", { title: "the warp was ready, and its scheduler issued another" }, "not selected") : named(reasonText(name), data.definitions.counters[name]))));
	fillSource();
}
