// Parts of charts: elements, numbers, axes, the tooltip. Text from the data is only ever set as text.
"use strict";

const at = (id) => document.getElementById(id);

function make(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes))
		node.setAttribute(name, value);
	node.append(...children);
	return node;
}
const element = (tag, attributes = {}, ...children) => make(document.createElement(tag), attributes, children);
// SVG's namespace looks like an address that a page might load, so it is taken from an element.
const drawing = at("drawing").namespaceURI;
const drawn = (tag, attributes = {}, ...children) => make(document.createElementNS(drawing, tag), attributes, children);

// ---- numbers ----------------------------------------------------------------------------------------------

const group = new Intl.NumberFormat("en-US");
const brief = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const isNumber = (value) => typeof value === "number";
const fixed = (value, digits) => (isNumber(value) ? value.toFixed(digits) : "–");
const count = (value) => (isNumber(value) ? group.format(value) : "–");
const percent = (part, whole, digits = 1) => (whole > 0 ? `${((100 * part) / whole).toFixed(digits)} %` : "–");
const sum = (values) => values.reduce((total, value) => total + value, 0);

// A round number not below the value, and marks up to it.
function niceTop(value) {
	if (!(value > 0))
		return 1;
	const unit = 10 ** Math.floor(Math.log10(value));
	return unit * [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => step * unit >= value * 0.999);
}

// Round marks within [low, high], about `wanted` of them.
function marksBetween(low, high, wanted) {
	const rough = (high - low) / wanted, unit = 10 ** Math.floor(Math.log10(rough));
	const step = Math.max(1, unit * [1, 2, 5, 10].find((factor) => factor * unit >= rough));
	const marks = [];
	for (let mark = Math.ceil(low / step) * step; mark <= high; mark += step)
		marks.push(mark);
	return marks;
}

// ---- colours: they stay apart on white and on near-black -----------------------------------------------------

const HUES = {
	issue_cycles: "#2f9e5b", stall_long_scoreboard: "#3b82d6", stall_lg_throttle: "#8a63d2", stall_policy_throttle: "#e07b1a",
	stall_fixed_latency: "#c99a06", stall_idle: "#a9b4c0", stall_barrier: "#d64550", stall_math_pipe_throttle: "#1ba8b8",
	stall_short_scoreboard: "#d65aa6", stall_branch_resolving: "#a0704f", stall_no_instruction: "#5b6ee1", stall_constant: "#5fb236",
	stall_membar: "#00917c", stall_mbarrier: "#9aa81c", not_selected: "#7d8a97",
};
const hueOf = (name) => HUES[name] || "#7d8a97";
const RUN_HUES = ["#3b82d6", "#e07b1a", "#2f9e5b", "#d64550", "#8a63d2", "#1ba8b8", "#d65aa6", "#a0704f"];
const runHue = (i) => RUN_HUES[i % RUN_HUES.length];

// ---- the tooltip --------------------------------------------------------------------------------------------

// Rows of [name, value, colour].
function showTip(event, title, rows) {
	const tip = at("tip");
	tip.replaceChildren(element("b", {}, title), element("table", {}, element("tbody", {}, ...rows.map(([name, value, colour]) =>
		element("tr", {}, element("td", { class: "text" }, ...(colour ? [element("i", { style: `background: ${colour}` })] : []), name), element("td", {}, value))))));
	tip.hidden = false;
	const box = tip.getBoundingClientRect(), room = 14;
	const left = event.clientX + room + box.width > innerWidth ? event.clientX - room - box.width : event.clientX + room;
	const top = event.clientY + room + box.height > innerHeight ? event.clientY - room - box.height : event.clientY + room;
	tip.style.left = `${Math.max(4, left)}px`;
	tip.style.top = `${Math.max(4, top)}px`;
}
function hideTip() {
	at("tip").hidden = true;
}
function tipOn(node, title, rows) {
	node.addEventListener("pointermove", (event) => showTip(event, title, rows));
	node.addEventListener("pointerleave", hideTip);
	return node;
}

// ---- a frame with axes ----------------------------------------------------------------------------------------

const MARGIN = { left: 46, right: 12, top: 10, bottom: 24 }, TITLED = { left: 60, right: 14, top: 10, bottom: 40 };

// An empty chart as wide as its place; `label` is what a screen reader says. The margin depends on titles at the axes.
function frame(place, height, label, extra = {}, margin = MARGIN) {
	const width = Math.max(240, Math.round(place.clientWidth || 600));
	const svg = drawn("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, ...extra });
	return { svg, width, height, inner: { left: margin.left, right: width - margin.right, top: margin.top, bottom: height - margin.bottom } };
}

function yAxis({ svg, inner }, top, unit) {
	const y = (value) => inner.bottom - ((inner.bottom - inner.top) * value) / top;
	for (const share of [0, 0.5, 1]) {
		const place = y(share * top);
		svg.append(drawn("line", { class: "axis", x1: inner.left, x2: inner.right, y1: place, y2: place }),
			drawn("text", { x: inner.left - 6, y: place + 4, "text-anchor": "end" }, `${brief.format(share * top)}${unit}`));
	}
	return y;
}

// Labelled axes from [place, text] pairs; titles are outside of the labels.
function axes({ svg, inner, height }, across, up, xTitle, yTitle) {
	for (const [x, text] of across)
		svg.append(drawn("line", { class: "axis", x1: x, x2: x, y1: inner.top, y2: inner.bottom }),
			drawn("text", { x, y: inner.bottom + 14, "text-anchor": "middle" }, text));
	for (const [y, text] of up)
		svg.append(drawn("line", { class: "axis", x1: inner.left, x2: inner.right, y1: y, y2: y }),
			drawn("text", { x: inner.left - 6, y: y + 4, "text-anchor": "end" }, text));
	const x = (inner.left + inner.right) / 2, y = (inner.top + inner.bottom) / 2;
	svg.append(drawn("text", { x, y: height - 4, "text-anchor": "middle" }, xTitle),
		drawn("text", { x: 11, y, "text-anchor": "middle", transform: `rotate(-90 11 ${y})` }, yTitle));
}

// Draws now, and again when the place gets another width.
const redraws = new Map();
const watcher = new ResizeObserver((entries) => {
	for (const { target } of entries) {
		const known = redraws.get(target);
		if (known && Math.abs(known.width - target.clientWidth) > 1) {
			known.width = target.clientWidth;
			known.draw();
		}
	}
});
function drawInto(place, draw) {
	redraws.set(place, { draw, width: place.clientWidth });
	draw();
	watcher.observe(place);
}

function named(name, definition) {
	if (!definition)
		return name;
	const nsight = definition.nsight_compute ? `\n${definition.nsight_compute}` : "";
	return element("abbr", { title: `${definition.definition}${definition.unit ? ` (${definition.unit})` : ""}${nsight}` }, name);
}

// Cells are texts, nodes, or { text, grade }; the first `texts` columns are text.
function table(titles, rows, texts = 1, attributes = {}) {
	const kind = (i, more = "") => ({ class: [i < texts ? "text" : "", more].join(" ").trim() });
	const head = element("tr", {}, ...titles.map((title, i) => element("th", { scope: "col", ...kind(i) }, title)));
	const body = rows.map((cells) => element("tr", {}, ...cells.map((cell, i) =>
		(cell && cell.grade !== undefined ? element("td", kind(i, cell.grade), cell.text) : element("td", kind(i), cell)))));
	return element("table", attributes, element("thead", {}, head), element("tbody", {}, ...body));
}

const absent = (text) => element("p", { class: "absent" }, text);
