// The poster of an advice: verdict, ladder of limits, families of mechanisms, source lines, what to do next.

const advice = JSON.parse(at("data").textContent);
const { verdict, runs } = advice, done = runs.filter((run) => isNumber(run.speedup));
const ofKind = (kind) => done.filter((run) => run.kind === kind);
const times = (value) => `${fixed(value, 2)} ×`;
// Half of the width is at least the machine as it is.
const widest = Math.max(1.25, ...done.map(({ speedup }) => speedup));

function bar(name, what, value, width, hue, said, one) {
	const track = element("div", { class: "track", role: "img", "aria-label": `${name}: ${said}` }, element("div", { class: "m", style: `width: ${Math.max(0, Math.min(100, width))}%; background: ${hue}` }));
	if (one)
		track.append(element("span", { class: "one", style: `left: ${100 / widest}%` }));
	return [element("span", { class: "name", title: name }, name), track, element("span", { class: "value" }, value), element("span", { class: "what" }, what)];
}

function showHead() {
	const { run } = advice, words = run.program ? run.program.arguments.map((word) => ` ${word}`).join("") : "";
	const changes = run.machine_changes.length ? `, with ${run.machine_changes.join(", ")}` : "";
	at("title").textContent = `${run.trace}${words} on ${run.machine}`;
	document.title = `${at("title").textContent} – Sluice advice`;
	at("subtitle").textContent = `${run.machine_title}${changes}${run.max_insns ? `, at most ${count(run.max_insns)} warp instructions per run` : ""}. ${count(done.length)} simulations.`;
	at("bound").textContent = `Bound by ${advice.bound}.`;
	at("sentences").append(...verdict.text.trim().split("\n").slice(1).map((text) => element("p", {}, text)));
	const tile = (value, text) => at("tiles").append(element("div", { class: "tile" }, element("b", {}, value), element("span", {}, text)));
	if (isNumber(verdict.speedup_without))
		tile(times(verdict.speedup_without), "as fast without what bounds it");
	if (isNumber(verdict.possible_speedup))
		tile(times(verdict.possible_speedup), "at most by policies of L1");
	if (verdict.helps) {
		tile(times(verdict.speedup), `by ${verdict.policy}`);
		tile(percent(verdict.share_of_possible, 1, 0), "of the possible gain is reached");
	}
	const { counters, metrics } = runs[0].total;
	tile(fixed(metrics.ipc, 2), `IPC under ${runs[0].policy}`);
	tile(percent(counters.stall_idle, counters.sm_cycles, 0), "of SM-cycles without a CTA");
}

function showSteps() {
	at("steps").append(...advice.steps.map(({ what, command }) => element("li", {}, what, ...(command ? [element("br"), element("code", {}, command)] : []))));
}

function showBreakdown() {
	const { counters } = runs[0].total, busy = counters.sm_cycles - counters.stall_idle;
	const names = ["issue_cycles", ...Object.keys(advice.definitions.counters).filter((name) => name.startsWith("stall_") && name !== "stall_idle")].filter((name) => counters[name] > 0).sort((a, b) => counters[b] - counters[a]);
	const text = (name) => name.replace(/^stall_|_cycles$/g, "").replaceAll("_", " ");
	const parts = names.map((name) => tipOn(element("div", { class: "m", style: `width: ${(100 * counters[name]) / busy}%; background: ${hueOf(name)}` }), text(name), [["of SM-cycles with a CTA", percent(counters[name], busy), hueOf(name)], ["SM-cycles", count(counters[name])]]));
	at("breakdown").append(element("div", { class: "wide" }, element("div", { class: "track", role: "img", style: "height: 26px", "aria-label": names.map((name) => `${text(name)} ${percent(counters[name], busy)}`).join(", ") }, ...parts)),
		element("div", { class: "keys" }, ...names.map((name) => element("span", {}, element("i", { style: `background: ${hueOf(name)}` }), named(text(name), advice.definitions.counters[name]), ` ${percent(counters[name], busy)}`))));
}

function showLimits() {
	const rows = [...ofKind("limit"), ...ofKind("what-if")].sort((a, b) => b.speedup - a.speedup);
	at("limits").append(element("div", { class: "bars" }, ...rows.flatMap((run) => bar(run.name, run.what, times(run.speedup), (100 * run.speedup) / widest, run.kind === "limit" ? "var(--bar)" : "#8a63d2", `${run.speedup.toFixed(2)} times as fast`, true))),
		element("div", { class: "keys" }, element("span", {}, element("i", { style: "background: var(--bar)" }), "limits of L1"), element("span", {}, element("i", { style: "background: #8a63d2" }), "the machine with one resource relaxed")));
}

function showMechanisms() {
	const families = new Map();
	for (const run of ofKind("mechanism"))
		families.set(run.family, [...(families.get(run.family) || []), run].sort((a, b) => b.speedup - a.speedup));
	const best = [...families.values()].map(([first]) => first).sort((a, b) => b.speedup - a.speedup);
	const share = (run) => run.share_of_possible;
	at("mechanisms").append(element("div", { class: "bars" }, ...best.flatMap((run, i) => bar(run.family, `${run.policy}, ${run.what}`, `${isNumber(share(run)) ? `${percent(share(run), 1, 0)}, ` : ""}${times(run.speedup)}`, isNumber(share(run)) ? 100 * share(run) : (100 * run.speedup) / widest,
		i || !verdict.helps ? "var(--bar)" : "var(--good)", `${run.speedup.toFixed(2)} times as fast`, false))));
	if (!best.length)
		at("mechanisms").append(absent("No mechanism was simulated."));
	const rows = ofKind("mechanism").sort((a, b) => b.speedup - a.speedup).map((run) => [run.policy, run.family, times(run.speedup), isNumber(share(run)) ? percent(share(run), 1, 0) : "–", fixed(run.total.metrics.l1_load_hit_rate, 1)]);
	const left = runs.filter((run) => run.left_out).map((run) => element("p", { class: "note" }, `${run.name} left out: ${run.left_out}`));
	at("mechanisms").append(element("details", {}, element("summary", {}, `All ${rows.length} mechanisms`), element("div", { class: "scroll" }, table(["policy", "family", "speed-up", "of possible", "L1 hit %"], rows, 2, { class: "small" })), ...left));
}

function showLines() {
	if (!advice.lines.length) {
		at("lines-table").replaceChildren(absent("No load missed L1."));
		return;
	}
	const most = Math.max(...advice.lines.map((line) => line.l1_missed_sectors));
	at("lines-table").append(table(["line", "source", "share of misses", "", "avoidable", "interference"], advice.lines.map((line) => {
		const missed = line.l1_missed_sectors, others = Math.min(line.interference_sectors, missed), more = Math.max(0, Math.min(line.avoidable_sectors, missed) - others);
		const part = (value, hue) => element("i", { class: "m", style: `width: ${(100 * value) / most}%; background: ${hue}` });
		return [line.source_line === null ? "–" : `${line.source_line}`, element("span", { class: "source" }, line.text || `${line.opcode} at ${line.pc} of ${line.kernel}`), percent(missed, advice.missed_sectors),
			element("span", { class: "heat", "aria-hidden": "true" }, part(others, "#d64550"), part(more, "#e07b1a"), part(missed - others - more, "#a9b4c0")), percent(line.avoidable_sectors, missed, 0), percent(line.interference_sectors, missed, 0)];
	}), 2));
}

showHead();
showSteps();
showBreakdown();
showLimits();
showMechanisms();
showLines();
