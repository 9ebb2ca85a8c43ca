// The roofline of the machine with a point per launch and level, and the memory chart.

const LEVELS_OF_MEMORY = [
	{ name: "l1", title: "L1", hue: "#3b82d6", bytes: (c) => ((c.l1_load_sectors || 0) + (c.l1_store_sectors || 0)) * data.machine.l1_sector_bytes },
	{ name: "l2", title: "L2", hue: "#e07b1a", bytes: (c) => ((c.l2_read_sectors || 0) + (c.l2_write_sectors || 0)) * data.machine.l2_sector_bytes },
	{ name: "dram", title: "DRAM", hue: "#d64550", bytes: (c) => (c.dram_read_bytes || 0) + (c.dram_write_bytes || 0) },
];
const { peaks } = data.machine;
const MOST_POINTS = 200;

// A launch, or in a comparison a run, at each level that it moved bytes at.
function rooflinePoints() {
	const whole = runs.map((run, i) => ({ name: run.policy, hue: runHue(i), counters: run.total.counters }));
	const launches = runs[0].launches.map((launch) => ({ name: `launch ${launch.launch}, ${kernelText(launch.kernel)}`, counters: launch }));
	const shown = several ? whole : launches.sort((a, b) => b.counters.cycles - a.counters.cycles).slice(0, MOST_POINTS);
	return shown.flatMap(({ name, hue, counters }) => LEVELS_OF_MEMORY.map((level) => {
		const bytes = level.bytes(counters), insns = counters.warp_insns;
		return { name, level, hue: hue || level.hue, bytes, x: insns / bytes, y: insns / counters.cycles, rate: bytes / counters.cycles, cycles: counters.cycles };
	})).filter(({ x, y, bytes }) => bytes > 0 && x > 0 && y > 0 && Number.isFinite(x));
}

const decades = (low, high) => Array.from({ length: Math.ceil(Math.log10(high)) - Math.floor(Math.log10(low)) + 1 }, (_, k) => 10 ** (Math.floor(Math.log10(low)) + k)).filter((mark) => mark >= low * 0.999 && mark <= high * 1.001);
const powerText = (value) => (value >= 1000 ? brief.format(value) : value >= 0.001 ? `${Number(value.toPrecision(3))}` : value.toExponential(0));

// Circle, square, diamond: levels differ without their colours.
function rooflineMark({ level }, x, y) {
	const r = 5;
	return { l1: `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`, l2: `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`, dram: `M${x} ${y - r - 1.5}l${r + 1.5} ${r + 1.5}l${-r - 1.5} ${r + 1.5}l${-r - 1.5} ${-r - 1.5}z` }[level.name];
}

function drawRoofline(place, points) {
	const ridges = LEVELS_OF_MEMORY.map(({ name }) => peaks.issue / peaks[name]);
	const xs = [...points.map(({ x }) => x), ...ridges], low = Math.min(...xs) / 3, high = Math.max(...xs) * 3;
	const top = peaks.issue * 2, bottom = Math.min(...points.map(({ y }) => y), peaks.issue / 30) / 2;
	const box = frame(place, 380, `Roofline of ${data.machine.name}: ${points.length} points`, {}, TITLED), { inner } = box;
	const x = (value) => inner.left + ((inner.right - inner.left) * Math.log(value / low)) / Math.log(high / low);
	const y = (value) => inner.bottom - ((inner.bottom - inner.top) * Math.log(value / bottom)) / Math.log(top / bottom);
	axes(box, decades(low, high).map((mark) => [x(mark), powerText(mark)]), decades(bottom, top).map((mark) => [y(mark), powerText(mark)]),
		"warp instructions per byte", "warp instructions per cycle");
	const farthest = Math.min(...ridges);
	box.svg.append(drawn("path", { d: `M${x(Math.max(low, farthest))} ${y(peaks.issue)}H${inner.right}`, class: "roof", stroke: hueOf("issue_cycles") }),
		drawn("text", { x: inner.right - 4, y: y(peaks.issue) - 6, "text-anchor": "end" }, `issue: ${count(peaks.issue)} per cycle`));
	LEVELS_OF_MEMORY.forEach((level, i) => {
		const peak = peaks[level.name], from = Math.max(low, bottom / peak), to = ridges[i];
		box.svg.append(drawn("path", { d: `M${x(from)} ${y(from * peak)}L${x(to)} ${y(peaks.issue)}`, class: "roof", stroke: level.hue }));
		const at = from * (to / from) ** (0.12 + 0.1 * i), slope = (Math.atan2(y(from * peak) - y(to * peak), x(to) - x(from)) * -180) / Math.PI;
		box.svg.append(drawn("text", { x: x(at), y: y(at * peak) - 6, transform: `rotate(${slope} ${x(at)} ${y(at * peak)})` }, `${level.title}: ${count(Math.round(peak * data.machine.core_mhz / 1000))} GB/s`));
	});
	for (const point of points) {
		const bound = Math.min(peaks.issue, point.x * peaks[point.level.name]);
		box.svg.append(tipOn(drawn("path", { class: "m dot", d: rooflineMark(point, x(point.x), y(point.y)), fill: point.hue }), point.name, [
			[point.level.title, `${fixed(point.rate * data.machine.core_mhz / 1000, 1)} GB/s, ${percent(point.rate, peaks[point.level.name])} of the ceiling`, point.hue],
			["instructions per byte", powerText(point.x)], ["instructions per cycle", point.y.toFixed(3)], ["of what the roof allows here", percent(point.y, bound)],
		]));
	}
	place.replaceChildren(box.svg);
}

function showRoofline() {
	const points = rooflinePoints(), place = element("div"), card = at("roofline-chart");
	if (!points.length) {
		card.replaceChildren(absent("No instruction was issued, or no byte moved."));
		return;
	}
	const key = (level) => element("span", {}, drawn("svg", { class: "mark", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, drawn("path", { d: rooflineMark({ level }, 0, 0), fill: several ? "currentColor" : level.hue })), level.title);
	const rows = [...new Set(points.map(({ name }) => name))].slice(0, 50).map((name) => {
		const own = points.filter((point) => point.name === name), of = (level) => own.find((point) => point.level === level);
		return [name, percent(own[0].y, peaks.issue), ...LEVELS_OF_MEMORY.map((level) => (of(level) ? percent(of(level).rate, peaks[level.name]) : "–"))];
	});
	card.replaceChildren(place, element("div", { class: "keys" }, ...LEVELS_OF_MEMORY.map(key), ...(several ? runs.map((run, i) => element("span", {}, element("i", { style: `background: ${runHue(i)}` }), run.policy)) : [])),
		element("details", {}, element("summary", {}, "Share of each ceiling"), element("div", { class: "scroll" }, table([several ? "run" : "launch", "issue", ...LEVELS_OF_MEMORY.map(({ title }) => title)], rows, 1, { class: "small" }))));
	drawInto(place, () => drawRoofline(place, points));
}

// ---- the memory chart -----------------------------------------------------------------------------------------

const byteText = (bytes) => { for (const [unit, size] of [["GB", 1e9], ["MB", 1e6], ["KB", 1e3]]) if (bytes >= size) return `${(bytes / size).toFixed(2)} ${unit}`; return `${count(Math.round(bytes))} B`; };

function memoryBox(title, lines, share) {
	return element("div", { class: "level" }, element("h3", {}, title), ...lines.filter(Boolean).map(([value, text]) => element("p", {}, element("b", {}, value), ` ${text}`)),
		...(isNumber(share) ? [element("div", { class: "track", role: "img", "aria-label": `${share.toFixed(1)} % of its ceiling` }, element("div", { class: "m", style: `width: ${Math.min(100, share)}%` })), element("p", { class: "soft" }, `${share.toFixed(1)} % of its ceiling`)] : []));
}

// An arrow as thick as its share of the bytes; `back`: data come back to the SM.
function memoryArrow(text, facts, bytes, most, back) {
	const thick = bytes > 0 ? 2 + (10 * bytes) / most : 1;
	return element("div", { class: `arrow${back ? " back" : ""}${bytes > 0 ? "" : " none"}` }, element("span", {}, element("b", {}, text), ` ${byteText(bytes)}`), element("i", { style: `--thick: ${thick.toFixed(1)}px`, "aria-hidden": "true" }), element("span", { class: "soft" }, facts));
}

function memoryChart(run) {
	const { counters: c, metrics } = run.total, { l1_sector_bytes: l1Bytes, l2_sector_bytes: l2Bytes } = data.machine, cycles = c.cycles || 1;
	const flows = { load: c.l1_load_sectors * l1Bytes, store: c.l1_store_sectors * l1Bytes, read: c.l2_read_sectors * l2Bytes, write: c.l2_write_sectors * l2Bytes, dramRead: c.dram_read_bytes, dramWrite: c.dram_write_bytes };
	const most = Math.max(1, ...Object.values(flows)), rate = (value) => (isNumber(value) ? `${fixed(value, 1)} %` : "–");
	const perRequest = (sectors, requests) => (requests ? `, ${(sectors / requests).toFixed(1)} sectors each` : "");
	const link = (...arrows) => element("div", { class: "link" }, ...arrows), ceiling = (level) => (100 * level.bytes(c)) / cycles / peaks[level.name];
	const shared = c.smem_wavefronts || c.insns_shared_load || c.insns_shared_store;
	return element("div", { class: "memory" },
		memoryBox("SM", [[count(c.warp_insns), "warp instructions"], [fixed(metrics.ipc, 2), "per cycle"], shared && [count(c.smem_wavefronts), "shared-memory wavefronts"], shared && [percent(c.smem_conflicts, c.smem_wavefronts), "of them due to conflicts"]], (100 * c.warp_insns) / cycles / peaks.issue),
		link(memoryArrow("loads", `${count(c.l1_load_requests)} requests${perRequest(c.l1_load_sectors, c.l1_load_requests)}`, flows.load, most, true),
			memoryArrow("stores", `${count(c.l1_store_requests)} requests${perRequest(c.l1_store_sectors, c.l1_store_requests)}`, flows.store, most)),
		memoryBox("L1", [[rate(metrics.l1_load_hit_rate), "of load sectors hit"], [count(c.l1_accesses), "line requests"], [count(c.l1_misses + c.l1_bypasses), "sent to L2"], [count(c.l1_evictions), "lines evicted"]], ceiling(LEVELS_OF_MEMORY[0])),
		link(memoryArrow("reads", `${count(c.l2_read_sectors)} sectors${c.icnt_merged ? `, ${count(c.icnt_merged)} merged` : ""}`, flows.read, most, true),
			memoryArrow("writes", `${count(c.l2_write_sectors)} sectors${c.l2_atomic_sectors ? `, ${count(c.l2_atomic_sectors)} atomic` : ""}`, flows.write, most)),
		memoryBox("L2", [[rate(metrics.l2_read_hit_rate), "of read sectors hit"], [count(c.l2_evictions), "lines evicted"], c.l2_fabric_sectors && [count(c.l2_fabric_sectors), "sectors between partitions"]], ceiling(LEVELS_OF_MEMORY[1])),
		link(memoryArrow("reads", `${count(Math.round(c.dram_read_bytes / l2Bytes))} sectors`, flows.dramRead, most, true),
			memoryArrow("writes", `${count(Math.round(c.dram_write_bytes / l2Bytes))} sectors`, flows.dramWrite, most)),
		memoryBox("DRAM", [[`${fixed(metrics.dram_rate, 1)} GB/s`, ""], [percent(c.dram_row_hits, c.dram_row_hits + c.dram_activates), "of requests to open rows"], [count(c.dram_activates), "rows opened"]], ceiling(LEVELS_OF_MEMORY[2])));
}

function showMemory() {
	for (const run of runs)
		at("memory-charts").append(element("figure", { class: "card" }, ...(several ? [captionOf(run.policy)] : []), memoryChart(run)));
}

// ---- DRAM channels -----------------------------------------------------------------------------------------------

function drawChannels(place, run) {
	const { counters } = run.look.channels, reads = counters.dram_read_bytes, writes = counters.dram_write_bytes;
	const box = frame(place, 170, `${run.policy}: bytes of each DRAM channel`), y = yAxis(box, niceTop(Math.max(1, ...reads.map((value, k) => value + writes[k]))), "B");
	const step = (box.inner.right - box.inner.left) / reads.length;
	reads.forEach((read, k) => {
		const left = box.inner.left + k * step, width = step > 3 ? step - 1 : step, all = read + writes[k];
		const rows = [["read", byteText(read), RUN_HUES[0]], ["written", byteText(writes[k]), RUN_HUES[1]], ["of requests to open rows", percent(counters.dram_row_hits[k], counters.dram_row_hits[k] + counters.dram_activates[k])], ["rows opened", count(counters.dram_activates[k])],
			["L2 read sectors", `${count(counters.l2_read_sectors[k])}, ${percent(counters.l2_read_hit_sectors[k], counters.l2_read_sectors[k])} hit`]];
		box.svg.append(tipOn(drawn("g", {}, drawn("rect", { class: "m", x: left, width, y: y(read), height: y(0) - y(read), fill: RUN_HUES[0] }), drawn("rect", { x: left, width, y: y(all), height: y(read) - y(all), fill: RUN_HUES[1] })), `channel ${k}`, rows));
	});
	for (const mark of marksBetween(0, reads.length - 1, Math.min(reads.length, 12)))
		box.svg.append(drawn("text", { x: box.inner.left + (mark + 0.5) * step, y: box.inner.bottom + 16, "text-anchor": "middle" }, `${mark}`));
	place.replaceChildren(box.svg);
}

function showChannels() {
	for (const run of runs.filter(({ look }) => look.channels)) {
		const { counters } = run.look.channels, all = counters.dram_read_bytes.map((value, k) => value + counters.dram_write_bytes[k]), mean = sum(all) / all.length, chart = element("div");
		at("channels-charts").append(element("figure", { class: "card" }, captionOf(several ? run.policy : "DRAM channels", mean ? `the busiest moved ${fixed(Math.max(...all) / mean, 2)} times the mean` : "no byte moved"), chart,
			element("div", { class: "keys" }, ...["read", "written"].map((text, i) => element("span", {}, element("i", { style: `background: ${RUN_HUES[i]}` }), text)))));
		drawInto(chart, () => drawChannels(chart, run));
	}
	if (!at("channels-charts").children.length)
		at("channels-charts").append(absent("Not observed: counters per DRAM channel were not asked for."));
}
