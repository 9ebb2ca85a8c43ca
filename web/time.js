// What the observers saw over time; a range that is picked on one chart is shown by all.

const SERIES = [
	{ name: "ipc", title: "IPC", unit: "", digits: 3, note: "warp instructions per cycle, all SMs together" },
	{ name: "l1_hit_rate", weight: "l1_accesses", title: "L1 hit rate", unit: "%", digits: 2, top: 100, note: "line requests that did not miss" },
	{ name: "l2_hit_rate", weight: "l2_read_sectors", title: "L2 hit rate", unit: "%", digits: 2, top: 100, note: "read sectors found in L2 or in flight" },
	{ name: "active_warps", title: "Active warps", unit: "", digits: 2, below: "resident_warps", note: "warps of an SM that issued; resident ones dashed" },
	{ name: "dram_bandwidth", title: "DRAM bandwidth", unit: "%", digits: 2, note: "bytes moved, of what the buses can carry" },
];
for (const run of runs)
	if (run.look.series && !run.look.series.l1_hit_rate)
		run.look.series.l1_hit_rate = run.look.series.l1_miss_rate.map((value) => (isNumber(value) ? 100 - value : null));

const timed = runs.map((run, i) => ({ run, i, series: run.look.series })).filter(({ series }) => series && series.end.length);
const lastCycle = Math.max(1, ...timed.map(({ series }) => series.cycles));
let view = [0, lastCycle];

const LEAST_PIXELS = 3;

// Points of a series that the view shows, as [start, end, mean, least, most]; what would be narrower than a few pixels
// is merged, by cycles or, for a rate, by what it is a rate of.
function pointsIn(series, spec, name, width) {
	const points = [], span = ((view[1] - view[0]) * LEAST_PIXELS) / width;
	let open = null;
	for (let k = 0; k < series.end.length; k++) {
		const start = series.start[k], end = series.end[k], value = series[name][k];
		if (end <= view[0] || start >= view[1])
			continue;
		if (!open || open.end !== start || open.end - open.start >= span || isNumber(value) !== isNumber(open.least))
			points.push(open = { start, end, total: 0, weight: 0, least: value, most: value });
		open.end = end;
		if (!isNumber(value))
			continue;
		const weight = spec.weight ? series[spec.weight][k] : end - start;
		open.total += value * weight;
		open.weight += weight;
		open.least = Math.min(open.least, value);
		open.most = Math.max(open.most, value);
	}
	return points.map(({ start, end, total, weight, least, most }) => [start, end, weight ? total / weight : null, least, most]);
}

// From the least to the most of what was merged.
const bandPath = (points, x, y) => points.filter(([, , , least, most]) => isNumber(least) && most > least).map(([start, end, , least, most]) =>
	`M${x(start).toFixed(1)} ${y(most).toFixed(1)}H${x(end).toFixed(1)}V${y(least).toFixed(1)}H${x(start).toFixed(1)}z`).join("");

function stepPath(points, x, y) {
	let path = "", before = null;
	for (const [start, end, value] of points) {
		if (!isNumber(value)) {
			before = null;
			continue;
		}
		path += `${before === start ? "L" : "M"}${x(start).toFixed(1)} ${y(value).toFixed(1)}H${x(end).toFixed(1)}`;
		before = end;
	}
	return path;
}

// The point of a run at a cycle.
function indexAt(series, cycle) {
	let low = 0, high = series.end.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (series.end[middle] <= cycle)
			low = middle + 1;
		else
			high = middle;
	}
	return low < series.end.length && series.start[low] <= cycle ? low : -1;
}

function timeTip(event, spec, cycle) {
	const rows = [];
	let title = `cycle ${count(Math.round(cycle))}`;
	for (const { run, i, series } of timed) {
		const k = indexAt(series, cycle);
		if (k >= 0 && !several)
			title = `cycles ${count(series.start[k])} to ${count(series.end[k])}`;
		for (const shown of several ? [spec] : SERIES)
			rows.push([several ? run.policy : shown.title, k < 0 || !isNumber(series[shown.name][k]) ? "–" : `${series[shown.name][k].toFixed(shown.digits)} ${shown.unit}`,
				several ? runHue(i) : undefined]);
	}
	const launch = several ? undefined : launchAt(cycle);
	if (launch)
		rows.push([`launch ${launch.launch}`, kernelText(launch.kernel)]);
	showTip(event, several ? `${spec.title}, ${title}` : title, rows);
}

// Where launches begin, of the first run.
let begun = 0;
const launchStarts = runs[0].launches.map((launch) => {
	const start = begun;
	begun += launch.cycles;
	return { ...launch, start, end: begun };
});
const launchAt = (cycle) => launchStarts.find((launch) => cycle >= launch.start && cycle < launch.end);

function setView(from, to) {
	const low = Math.max(0, Math.min(from, lastCycle - 1)), high = Math.min(lastCycle, Math.max(to, low + 1));
	view = [Math.floor(low), Math.ceil(high)];
	for (const chart of timeCharts)
		chart.draw();
	const whole = view[0] === 0 && view[1] === lastCycle;
	at("range-from").value = view[0];
	at("range-to").value = view[1];
	at("range-reset").disabled = whole;
	at("range-said").textContent = whole ? "the whole run" : `${count(view[1] - view[0])} of ${count(lastCycle)} cycles`;
}

// Keys do what dragging does.
function onKey(event) {
	const span = view[1] - view[0], step = span / 10, middle = (view[0] + view[1]) / 2;
	const moves = {
		ArrowLeft: () => setView(Math.max(0, view[0] - step), Math.max(span, view[1] - step)),
		ArrowRight: () => setView(Math.min(lastCycle - span, view[0] + step), view[1] + step),
		"+": () => setView(middle - span / 4, middle + span / 4),
		"-": () => setView(middle - span, middle + span),
		Escape: () => setView(0, lastCycle),
	};
	const move = moves[event.key === "=" ? "+" : event.key];
	if (!move || event.ctrlKey || event.metaKey || event.altKey)
		return;
	event.preventDefault();
	move();
}

function watchPointer(svg, spec, inner, width) {
	let from = null;
	const brush = drawn("rect", { class: "brush", y: inner.top, height: inner.bottom - inner.top, width: 0, visibility: "hidden" });
	const cursor = drawn("line", { class: "cursor", y1: inner.top, y2: inner.bottom, visibility: "hidden" });
	const place = (event) => {
		const box = svg.getBoundingClientRect();
		return Math.min(inner.right, Math.max(inner.left, ((event.clientX - box.left) * width) / box.width));
	};
	const cycleAt = (x) => view[0] + ((x - inner.left) * (view[1] - view[0])) / (inner.right - inner.left);
	svg.append(brush, cursor);
	svg.addEventListener("pointerdown", (event) => {
		if (event.button)
			return;
		from = place(event);
		svg.setPointerCapture(event.pointerId);
	});
	svg.addEventListener("pointermove", (event) => {
		const x = place(event);
		make(cursor, { x1: x, x2: x, visibility: "visible" }, []);
		if (from !== null)
			make(brush, { x: Math.min(from, x), width: Math.abs(x - from), visibility: "visible" }, []);
		if (spec.tip)
			spec.tip(event, cycleAt(x));
		else
			timeTip(event, spec, cycleAt(x));
	});
	svg.addEventListener("pointerup", (event) => {
		const x = place(event), start = from;
		from = null;
		brush.setAttribute("visibility", "hidden");
		if (start !== null && Math.abs(x - start) > 4)
			setView(cycleAt(Math.min(start, x)), cycleAt(Math.max(start, x)));
	});
	svg.addEventListener("pointercancel", () => {
		from = null;
		brush.setAttribute("visibility", "hidden");
	});
	svg.addEventListener("pointerleave", () => {
		cursor.setAttribute("visibility", "hidden");
		hideTip();
	});
	svg.addEventListener("dblclick", () => setView(0, lastCycle));
	svg.addEventListener("keydown", onKey);
}

// SMs by what they do, stacked; of one run.
function drawReasons(place, said, run) {
	const { series } = run.look, focused = place.contains(document.activeElement), width = (place.clientWidth || 600) - MARGIN.left - MARGIN.right;
	const names = reasons.filter((name) => name !== "stall_idle" && series.sms_by_reason[name]);
	const busy = series.end.map((_, k) => sum(names.map((name) => series.sms_by_reason[name][k]))), sms = Math.min(data.machine.sms, niceTop(Math.max(0, ...busy)));
	const columns = names.map((name) => pointsIn({ ...series, [name]: series.sms_by_reason[name] }, {}, name, width));
	const box = frame(place, 200, `${several ? `${run.policy}: ` : ""}SMs by what they do, from cycle ${view[0]} to ${view[1]}. Plus and minus zoom, arrows move, Escape shows the whole run.`, { tabindex: 0 });
	const x = (cycle) => Math.min(box.inner.right, Math.max(box.inner.left, box.inner.left + ((box.inner.right - box.inner.left) * (cycle - view[0])) / (view[1] - view[0])));
	const y = yAxis(box, sms, "");
	box.svg.classList.add("timed");
	const base = (columns[0] || []).map(() => 0);
	columns.forEach((points, n) => {
		const path = points.map(([start, end, value], k) => {
			const low = base[k], high = Math.min(sms, low + (value || 0));
			base[k] = high;
			return high > low ? `M${x(start).toFixed(1)} ${y(high).toFixed(1)}H${x(end).toFixed(1)}V${y(low).toFixed(1)}H${x(start).toFixed(1)}z` : "";
		}).join("");
		if (path)
			box.svg.append(drawn("path", { class: "m", d: path, fill: hueOf(names[n]) }));
	});
	said.textContent = `SMs in each state on average; the rest of the ${data.machine.sms} have no CTA`;
	xAxis(box, x);
	watchPointer(box.svg, { tip: (event, cycle) => {
		const k = indexAt(series, cycle);
		if (k >= 0)
			showTip(event, `cycles ${count(series.start[k])} to ${count(series.end[k])}`, names.map((name) => [reasonText(name), `${fixed(series.sms_by_reason[name][k], 1)} SMs`, hueOf(name)]).filter((_, n) => series.sms_by_reason[names[n]][k] > 0.05));
	} }, box.inner, box.width);
	place.replaceChildren(box.svg);
	if (focused)
		box.svg.focus();
}

// CTAs of each SM over time: a row is an SM.
function drawCtas(place, said, run) {
	const { series } = run.look, focused = place.contains(document.activeElement), { sms, columns } = series.ctas_by_sm, count_ = sms.length || 1;
	const most = Math.max(1, ...sms.map((row) => Math.max(0, ...row))), step = series.cycles / columns;
	const box = frame(place, Math.max(110, Math.min(300, 40 + 2 * count_)), `${several ? `${run.policy}: ` : ""}CTAs of each SM from cycle ${view[0]} to ${view[1]}: at most ${most}. Plus and minus zoom, arrows move, Escape shows the whole run.`, { tabindex: 0 });
	const x = (cycle) => Math.min(box.inner.right, Math.max(box.inner.left, box.inner.left + ((box.inner.right - box.inner.left) * (cycle - view[0])) / (view[1] - view[0])));
	const height = (box.inner.bottom - box.inner.top) / count_, paths = Array(most + 1).fill("");
	sms.forEach((row, sm) => {
		for (let k = 0, from = 0; k < row.length; k++) {
			if (k + 1 < row.length && row[k + 1] === row[k])
				continue;
			const left = x(from * step), right = x((k + 1) * step);
			if (row[k] && right > left)
				paths[row[k]] += `M${left.toFixed(1)} ${(box.inner.top + sm * height).toFixed(2)}H${right.toFixed(1)}v${(height * 0.94).toFixed(2)}H${left.toFixed(1)}z`;
			from = k + 1;
		}
	});
	box.svg.classList.add("timed");
	box.svg.append(drawn("rect", { class: "axis", x: box.inner.left, y: box.inner.top, width: box.inner.right - box.inner.left, height: box.inner.bottom - box.inner.top }));
	paths.forEach((path, ctas) => {
		if (path)
			box.svg.append(drawn("path", { class: "m", d: path, style: `fill: var(--accent); fill-opacity: ${(0.15 + (0.85 * ctas) / most).toFixed(2)}` }));
	});
	for (const mark of marksBetween(0, count_ - 1, Math.min(count_, 5)))
		box.svg.append(drawn("text", { x: box.inner.left - 6, y: box.inner.top + (mark + 0.5) * height + 4, "text-anchor": "end" }, `${mark}`));
	said.textContent = `a row is an SM, the deepest colour ${most === 1 ? "one CTA" : `${most} CTAs`}`;
	xAxis(box, x);
	watchPointer(box.svg, { tip: (event, cycle) => {
		const top = box.svg.getBoundingClientRect(), sm = Math.floor((((event.clientY - top.top) * box.width) / top.width - box.inner.top) / height), k = Math.floor(cycle / step);
		if (sm >= 0 && sm < count_)
			showTip(event, `SM ${sm}, cycle ${count(Math.round(cycle))}`, [["CTAs", count(sms[sm][k] ?? 0)]]);
	} }, box.inner, box.width);
	place.replaceChildren(box.svg);
	if (focused)
		box.svg.focus();
}

function addTimeChart(title, draw) {
	const place = element("div"), said = element("span");
	const figure = element("figure", { class: "card" }, element("figcaption", {}, title, said), place);
	at("time-charts").append(figure);
	timeCharts.push({ draw: () => draw(place, said) });
	drawInto(place, timeCharts.at(-1).draw);
	return figure;
}

function xAxis({ svg, inner }, x) {
	const wanted = Math.max(2, Math.floor((inner.right - inner.left) / 75));
	for (const mark of marksBetween(view[0], view[1], wanted))
		svg.append(drawn("line", { class: "axis", x1: x(mark), x2: x(mark), y1: inner.bottom, y2: inner.bottom + 4 }),
			drawn("text", { x: x(mark), y: inner.bottom + 16, "text-anchor": x(mark) > inner.right - 24 ? "end" : x(mark) < inner.left + 24 ? "start" : "middle" },
				view[1] - view[0] < 20000 ? count(mark) : brief.format(mark)));
}

function drawTime(place, said, spec) {
	const focused = place.contains(document.activeElement);
	const width = (place.clientWidth || 600) - MARGIN.left - MARGIN.right;
	const lines = timed.map(({ i, series, run }) => ({ i, run, points: pointsIn(series, spec, spec.name, width), below: spec.below ? pointsIn(series, spec, spec.below, width) : [] }));
	const values = lines.flatMap((line) => line.points.flatMap((point) => [point[3], point[4]])).filter(isNumber);
	const low = Math.min(...values), high = Math.max(...values);
	const most = Math.max(0, ...values, ...lines.flatMap((line) => line.below.map((point) => point[2])).filter(isNumber));
	const range = values.length ? `${low.toFixed(spec.digits)} to ${high.toFixed(spec.digits)}${spec.unit && ` ${spec.unit}`}` : "no value";
	said.textContent = `${spec.note}; in view ${range}`;
	const box = frame(place, spec.name === "ipc" ? 180 : 140, `${spec.title} from cycle ${view[0]} to ${view[1]}: ${range}. Plus and minus zoom, arrows move, Escape shows the whole run.`, { tabindex: 0 });
	const x = (cycle) => box.inner.left + ((box.inner.right - box.inner.left) * (cycle - view[0])) / (view[1] - view[0]);
	const y = yAxis(box, spec.top || niceTop(most), spec.unit && ` ${spec.unit}`);
	const clip = `clip-${spec.name}`;
	box.svg.classList.add("timed");
	box.svg.append(drawn("clipPath", { id: clip }, drawn("rect", { x: box.inner.left, y: box.inner.top - 2, width: box.inner.right - box.inner.left, height: box.inner.bottom - box.inner.top + 4 })));
	const inView = several ? [] : launchStarts.filter((launch) => launch.start > view[0] && launch.start < view[1]);
	if (inView.length <= 60)
		for (const launch of inView)
			box.svg.append(drawn("line", { class: "launch", x1: x(launch.start), x2: x(launch.start), y1: box.inner.top, y2: box.inner.bottom }));
	for (const { i, points, below } of lines) {
		if (below.length)
			box.svg.append(drawn("path", { class: "line", d: stepPath(below, x, y), stroke: runHue(i), "stroke-opacity": 0.45, "stroke-dasharray": "4 3", "clip-path": `url(#${clip})` }));
		box.svg.append(drawn("path", { d: bandPath(points, x, y), fill: runHue(i), "fill-opacity": 0.2, "clip-path": `url(#${clip})` }));
		box.svg.append(drawn("path", { class: "line m", d: stepPath(points, x, y), stroke: runHue(i), "clip-path": `url(#${clip})` }));
	}
	xAxis(box, x);
	watchPointer(box.svg, spec, box.inner, box.width);
	place.replaceChildren(box.svg);
	if (focused)
		box.svg.focus();
}

const timeCharts = [];

// The number of cycles of most points.
function usualSpan() {
	const spans = timed.flatMap(({ series }) => series.end.map((end, k) => end - series.start[k])).sort((a, b) => a - b);
	return spans[spans.length >> 1];
}

function showTime() {
	if (!timed.length) {
		at("time-charts").replaceChildren(absent("Not observed: no series was taken in this run."));
		at("range").hidden = true;
		return;
	}
	const { series } = timed[0], cut = timed.some((entry) => entry.series.truncated);
	at("time-note").textContent = `Drag across a chart to zoom all of them; double-click or Escape shows the whole run. ` +
		`Lines are means, each of ${count(usualSpan())} cycles or, where those would be too narrow to see, of more; a band then goes from the least to the most of them${launchStarts.length > 1 ? "; launches follow one another" : ""}. ` +
		`A warp is active if it issued within ${count(series.sampled_cycles)} cycles.${cut ? " The end is missing: the observer ran out of room." : ""}`;
	at("time-keys").hidden = !several;
	at("time-keys").replaceChildren(...timed.map(({ run, i }) => element("span", {}, element("i", { style: `background: ${runHue(i)}` }), run.policy)));
	for (const spec of SERIES)
		addTimeChart(spec.title, (place, said) => drawTime(place, said, spec));
	for (const { run } of timed) {
		const of = several ? `, ${run.policy}` : "";
		if (Object.keys(run.look.series.sms_by_reason || {}).length)
			addTimeChart(`What SMs do${of}`, (place, said) => drawReasons(place, said, run)).append(reasonKeys().cloneNode(true));
		if (run.look.series.ctas_by_sm?.sms.length)
			addTimeChart(`CTAs of each SM${of}`, (place, said) => drawCtas(place, said, run));
	}
	at("range").addEventListener("submit", (event) => {
		event.preventDefault();
		setView(Number(at("range-from").value), Number(at("range-to").value));
	});
	at("range-reset").addEventListener("click", () => setView(0, lastCycle));
	setView(0, lastCycle);
}
