// The observers' charts: interference, reuse distances, balance of SMs. time.js has the time series.

const data = JSON.parse(at("data").textContent);
const runs = data.runs, several = runs.length > 1;
// Idle comes last: it is about the grid, not about what warps wait for.
const reasons = [...Object.keys(data.definitions.counters).filter((name) => name === "issue_cycles" || (name.startsWith("stall_") && name !== "stall_idle")), "stall_idle"];
const reasonText = (name) => name.replace(/^stall_|_cycles$/g, "").replaceAll("_", " ");
// A C++ name without its parameters: _Z6expand5graph is expand(graph), _ZN4math3addEf is math::add(float).
function kernelText(name) {
	const nested = name.startsWith("_ZN"), segments = [];
	let rest = name.startsWith("_Z") ? name.slice(nested ? 3 : 2) : "";
	for (let found; (nested || !segments.length) && (found = /^\d+/.exec(rest)) && rest.length >= found[0].length + Number(found[0]);) {
		segments.push(rest.substr(found[0].length, Number(found[0])));
		rest = rest.slice(found[0].length + Number(found[0]));
	}
	return segments.length ? segments.join("::") : name;
}
const captionOf = (title, more = "") => element("figcaption", {}, title, element("span", {}, more));

// ---- stacked bars -------------------------------------------------------------------------------------------

const usedReasons = reasons.filter((name) => runs.some((run) => run.total.counters[name] > 0));
const reasonKeys = () => element("div", { class: "keys" }, ...usedReasons.map((name) =>
	element("span", {}, element("i", { style: `background: ${hueOf(name)}` }), named(reasonText(name), data.definitions.counters[name]))));

function breakdownBar(title, counters, longest, full = title) {
	const parts = usedReasons.filter((name) => counters[name] > 0).map((name) => tipOn(
		element("div", { class: "m", style: `width: ${(100 * counters[name]) / longest}%; background: ${hueOf(name)}` }),
		title, [[reasonText(name), `${count(counters[name])} SM-cycles`, hueOf(name)], ["of all SM-cycles", percent(counters[name], counters.sm_cycles)]]));
	const said = usedReasons.map((name) => `${reasonText(name)} ${percent(counters[name], counters.sm_cycles)}`).join(", ");
	return [
		element("span", { class: "name", title: full }, title),
		element("div", { class: "track", role: "img", "aria-label": `${title}: ${said}` }, ...parts),
		element("span", { class: "value" }, `${count(counters.cycles)} cycles`),
	];
}

// The kernels that took the most cycles; the rest together.
function topKernels(run, most) {
	const sorted = [...run.kernels].sort((a, b) => b.counters.cycles - a.counters.cycles);
	return sorted.slice(0, most);
}

function breakdownTable() {
	const rows = usedReasons.map((name) => [named(reasonText(name), data.definitions.counters[name]), ...runs.flatMap((run) =>
		[count(run.total.counters[name]), percent(run.total.counters[name], run.total.counters.sm_cycles)])]);
	return element("details", {}, element("summary", {}, "As a table"), element("div", { class: "scroll" },
		table(["SM-cycles", ...runs.flatMap((run) => [run.policy, "share"])], rows)));
}

function showBreakdown() {
	const longest = Math.max(...runs.map((run) => run.total.counters.sm_cycles));
	const lines = runs.flatMap((run) => breakdownBar(several ? run.policy : "whole run", run.total.counters, longest));
	for (const run of runs) {
		const kernels = run.kernels.length > 1 ? topKernels(run, several ? 4 : 10) : [];
		if (kernels.length)
			lines.push(element("h3", {}, `${several ? `${run.policy}: ` : ""}kernels${run.kernels.length > kernels.length ? ` with the most cycles, ${kernels.length} of ${run.kernels.length}` : ""}`));
		lines.push(...kernels.flatMap((kernel) => breakdownBar(`${kernelText(kernel.name)} × ${count(kernel.launches)}`, kernel.counters, longest, kernel.name)));
	}
	at("breakdown-chart").replaceChildren(element("div", { class: "bars wide" }, ...lines), reasonKeys(), breakdownTable());
}

// ---- interference -----------------------------------------------------------------------------------------------

const LEVELS = 8;

// Unused slots at the end are left out.
function usedSlots(kind) {
	let most = 0;
	for (const run of runs)
		(run.look.matrix ? run.look.matrix[kind] : []).forEach((row, r) => row.forEach((value, c) => {
			if (value)
				most = Math.max(most, r + 1, c + 1);
		}));
	return Math.min(Math.max(8, Math.ceil(most / 8) * 8), runs.find((run) => run.look.matrix)?.look.matrix.warps ?? 8);
}

function drawMatrix(place, run, kind, slots, most) {
	const rows = run.look.matrix[kind], all = sum(rows.flat());
	const size = Math.max(200, Math.min(place.clientWidth || 400, 460)), left = 40, bottom = 34, top = 8;
	const cell = (size - left - 8) / slots, height = top + cell * slots + bottom;
	const verb = kind === "lost" ? "missed again after an eviction" : "evicted";
	const svg = drawn("svg", { class: "chart", viewBox: `0 0 ${size} ${height}`, role: "img", style: `max-width: ${size}px`,
		"aria-label": `${run.policy}: ${count(all)} lines ${verb}, by the warp that brought them in and the warp that evicted them` });
	const paths = Array(LEVELS).fill("");
	rows.forEach((row, r) => row.forEach((value, c) => {
		if (value && r < slots && c < slots)
			paths[Math.min(LEVELS - 1, Math.floor(Math.sqrt(value / most) * LEVELS))] += `M${(left + c * cell).toFixed(2)} ${(top + r * cell).toFixed(2)}h${cell.toFixed(2)}v${cell.toFixed(2)}h${(-cell).toFixed(2)}z`;
	}));
	svg.append(drawn("rect", { class: "axis", x: left, y: top, width: cell * slots, height: cell * slots }));
	paths.forEach((path, level) => {
		if (path)
			svg.append(drawn("path", { class: "m", d: path, style: `fill: var(--accent); fill-opacity: ${(level + 1) / LEVELS}` }));
	});
	for (let slot = 0; slot < slots; slot += Math.max(1, slots >> 3))
		svg.append(drawn("text", { x: left - 5, y: top + (slot + 0.5) * cell + 4, "text-anchor": "end" }, `${slot}`),
			drawn("text", { x: left + (slot + 0.5) * cell, y: top + cell * slots + 13, "text-anchor": "middle" }, `${slot}`));
	svg.append(drawn("text", { x: left + (cell * slots) / 2, y: height - 4, "text-anchor": "middle" }, "evicted by warp slot"),
		drawn("text", { x: 10, y: top + (cell * slots) / 2, "text-anchor": "middle", transform: `rotate(-90 10 ${top + (cell * slots) / 2})` }, "line of warp slot"));
	svg.addEventListener("pointermove", (event) => {
		const box = svg.getBoundingClientRect(), scale = size / box.width;
		const c = Math.floor(((event.clientX - box.left) * scale - left) / cell), r = Math.floor(((event.clientY - box.top) * scale - top) / cell);
		if (r < 0 || c < 0 || r >= slots || c >= slots)
			hideTip();
		else
			showTip(event, `lines of warp ${r}, evicted by warp ${c}`, [[verb, count(rows[r][c])], ["of all", percent(rows[r][c], all, 2)]]);
	});
	svg.addEventListener("pointerleave", hideTip);
	place.replaceChildren(svg);
}

function topPairs(matrix, kind) {
	const pairs = matrix[kind].flatMap((row, r) => row.map((value, c) => [r, c, value])).filter(([, , value]) => value).sort((a, b) => b[2] - a[2]).slice(0, 5);
	const all = sum(matrix[kind].flat());
	return element("div", {}, element("h3", {}, "Pairs with the most"),
		table(["line of warp", "evicted by warp", "lines", "share"], pairs.map(([r, c, value]) => [`${r}`, `${c}`, count(value), percent(value, all)]), 0, { class: "small" }));
}

function showInterference() {
	const kind = document.querySelector("input[name='matrix']:checked").value, place = at("interference-charts");
	const seen = runs.filter((run) => run.look.matrix);
	at("interference-note").textContent = "Which warp's misses evicted whose lines from L1, summed over SMs and launches; a slot represents all warps that used it in turn. The diagonal shows what a warp evicted of its own.";
	place.replaceChildren();
	if (!seen.length) {
		place.append(absent("Not observed: the interference matrix was not asked for."));
		return;
	}
	const slots = usedSlots(kind), most = Math.max(1, ...seen.flatMap((run) => run.look.matrix[kind].flat()));
	for (const run of seen) {
		const matrix = run.look.matrix, all = matrix.self_evictions + matrix.other_evictions, lost = sum(matrix.lost.flat()), chart = element("div");
		const said = kind === "lost" ? `${count(lost)} misses to lines that a warp had lost` : `${count(all)} evictions, ${percent(matrix.other_evictions, all)} by another warp`;
		const figure = element("figure", { class: "card" }, captionOf(run.policy, said + (matrix.truncated && kind === "lost" ? " (more: the observer ran out of room)" : "")));
		place.append(figure);
		if (!(kind === "lost" ? lost : all)) {
			figure.append(absent(kind === "lost" ? "No warp missed a line that it had lost." : "L1 evicted no line."));
			continue;
		}
		figure.append(element("div", { class: "side-by-side" }, chart, topPairs(matrix, kind)));
		drawInto(chart, () => drawMatrix(chart, run, kind, slots, most));
	}
}

// ---- reuse distance ---------------------------------------------------------------------------------------------------

const binText = (low) => (low >= 1024 ? `${low / 1024}K` : `${low}`);
const binRange = (bins, k) => (k < 2 ? `${bins[k]}` : `${count(bins[k])} to ${count(2 * bins[k] - 1)}`);

function drawDistance(place, seen, bins) {
	const groups = bins.length + 1, share = (look, k) => (look.accesses ? (100 * (k < bins.length ? look.requests[k] || 0 : look.cold)) / look.accesses : 0);
	const top = niceTop(Math.max(1, ...seen.flatMap(({ look }) => Array.from({ length: groups }, (_, k) => share(look, k)))));
	const box = frame(place, 230, `Reuse distances: ${seen.map(({ run, look }) => `${run.policy}, ${percent(look.cold, look.accesses)} first touches`).join("; ")}`);
	const y = yAxis(box, top, " %"), step = (box.inner.right - box.inner.left) / groups, bar = (step * 0.8) / seen.length;
	const every = Math.ceil(34 / step);
	for (let k = 0; k < groups; k++) {
		const left = box.inner.left + k * step, name = k < bins.length ? binRange(bins, k) : "first touch";
		seen.forEach(({ run, look, i }, n) => {
			const value = share(look, k), requests = k < bins.length ? look.requests[k] || 0 : look.cold;
			box.svg.append(tipOn(drawn("rect", { class: "m", x: left + step * 0.1 + n * bar, width: Math.max(1, bar - 1), y: y(value), height: Math.max(0, box.inner.bottom - y(value)), fill: k < bins.length ? runHue(i) : "#a9b4c0" }),
				k < bins.length ? `${name} other lines in between` : "first touch of an SM", [[several ? run.policy : "requests", count(requests), several ? runHue(i) : undefined], ["of all", percent(requests, look.accesses, 2)]]));
		});
		if (k === groups - 1 || (k % every === 0 && k < groups - every))
			box.svg.append(drawn("text", { x: k === groups - 1 ? box.inner.right : left + step / 2, y: box.inner.bottom + 16, "text-anchor": k === groups - 1 ? "end" : "middle" }, k < bins.length ? binText(bins[k]) : "first"));
	}
	const lines = seen[0].look.l1_lines, edge = box.inner.left + (Math.log2(lines) + 1) * step;
	if (edge < box.inner.right - step)
		box.svg.append(drawn("line", { class: "edge", x1: edge, x2: edge, y1: box.inner.top, y2: box.inner.bottom }),
			drawn("text", { x: edge > box.width / 2 ? edge - 5 : edge + 5, y: box.inner.top + 10, "text-anchor": edge > box.width / 2 ? "end" : "start" }, `L1: ${count(lines)} lines`));
	place.replaceChildren(box.svg);
}

function showReuse() {
	const seen = runs.map((run, i) => ({ run, i, look: run.look.distance })).filter(({ look }) => look);
	at("reuse-note").textContent = "How many other lines the SM touched between two touches of a line, by line requests of loads that L1 served. Left of the dashed line, a fully associative L1 with LRU would hit.";
	if (!seen.length || !seen.some(({ look }) => look.accesses)) {
		at("reuse-chart").replaceChildren(absent(seen.length ? "No load was served by L1." : "Not observed: reuse distances were not asked for."));
		return;
	}
	const bins = seen.map(({ look }) => look.distance).reduce((a, b) => (b.length > a.length ? b : a));
	const place = element("div"), untracked = seen.some(({ look }) => look.untracked);
	const zero = runs.filter((run) => run.look.reuse && run.look.reuse.evictions).map((run) =>
		`${several ? `${run.policy}: ` : ""}${percent(run.look.reuse.zero_reuse_evictions, run.look.reuse.evictions)} of the lines that L1 evicted had not been touched again`);
	const rows = [...bins.map((_, k) => [binRange(bins, k), ...seen.map(({ look }) => count(look.requests[k] || 0))]), ["first touch", ...seen.map(({ look }) => count(look.cold))],
		...(untracked ? [["not tracked", ...seen.map(({ look }) => count(look.untracked))]] : [])];
	at("reuse-chart").replaceChildren(place, ...(several ? [element("div", { class: "keys" }, ...seen.map(({ run, i }) => element("span", {}, element("i", { style: `background: ${runHue(i)}` }), run.policy)))] : []),
		...zero.map((text) => element("p", { class: "note" }, `${text}.`)),
		element("details", {}, element("summary", {}, "As a table"), table(["lines in between", ...seen.map(({ run }) => (several ? run.policy : "requests"))], rows, 1, { class: "small" })));
	drawInto(place, () => drawDistance(place, seen, bins));
}

// ---- balance of SMs -----------------------------------------------------------------------------------------------------

function drawBalance(place, run) {
	const { counters } = run.look.sms, cycles = run.look.sms.cycles, sms = counters.warp_insns.length;
	const box = frame(place, 190, `${run.policy}: cycles of each SM by what it did`);
	const y = yAxis(box, cycles, ""), step = (box.inner.right - box.inner.left) / sms;
	for (let sm = 0; sm < sms; sm++) {
		const parts = usedReasons.filter((name) => counters[name][sm] > 0), rows = parts.map((name) => [reasonText(name), `${count(counters[name][sm])} (${percent(counters[name][sm], cycles)})`, hueOf(name)]);
		const group = drawn("g");
		let base = 0;
		for (const name of parts) {
			const height = y(base) - y(base + counters[name][sm]);
			base += counters[name][sm];
			group.append(drawn("rect", { class: "m", x: box.inner.left + sm * step, width: step > 3 ? step - 1 : step, y: y(base), height, fill: hueOf(name) }));
		}
		box.svg.append(tipOn(group, `SM ${sm}`, [...rows, ["warp instructions", count(counters.warp_insns[sm])], ["L1 misses / accesses", `${count(counters.l1_misses[sm])} / ${count(counters.l1_accesses[sm])}`]]));
	}
	for (const mark of marksBetween(0, sms - 1, Math.min(sms, 8)))
		box.svg.append(drawn("text", { x: box.inner.left + (mark + 0.5) * step, y: box.inner.bottom + 16, "text-anchor": "middle" }, `${mark}`));
	place.replaceChildren(box.svg);
}

function showBalance() {
	const seen = runs.filter((run) => run.look.sms), place = at("balance-charts");
	at("balance-note").textContent = "A column is an SM, its parts are what its cycles went into, from issue at the bottom; summed over launches.";
	if (!seen.length)
		place.append(absent("Not observed: counters per SM were not asked for."));
	for (const run of seen) {
		const insns = run.look.sms.counters.warp_insns, mean = sum(insns) / insns.length, chart = element("div"), idle = insns.filter((value) => !value).length;
		const said = `warp instructions of an SM: ${count(Math.min(...insns))} to ${count(Math.max(...insns))}, the most ${fixed(Math.max(...insns) / mean, 2)} times the mean${idle ? `; ${idle} SMs had none` : ""}`;
		place.append(element("figure", { class: "card" }, captionOf(several ? run.policy : "SMs", said), chart, reasonKeys()));
		drawInto(chart, () => drawBalance(chart, run));
	}
}
