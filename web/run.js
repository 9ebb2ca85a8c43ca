// The rest of the page: head, side by side, tables. Everything is made from the JSON that sluice put into the page.

// How a value is shown: bytes as megabytes, joules as millijoules.
const SCALES = { dram_bytes: [1e-6, 2, "MB"], energy: [1e3, 3, "mJ"] };
function shown(name, value) {
	const [scale, digits] = SCALES[name] || [1, name === "thread_ipc" ? 1 : 2];
	return isNumber(value) ? fixed(value * scale, digits) : "–";
}
const unitOf = (name) => (SCALES[name] ? SCALES[name][2] : data.definitions.values[name].unit);

// The run with the best value; undefined where no value is better than another.
function bestOf(name) {
	const better = data.definitions.values[name].better;
	const rows = runs.filter((run) => isNumber(run.values[name]) && run.status !== "deadlocked");
	if (better === "neither" || rows.length < 2)
		return undefined;
	const sign = better === "more" ? 1 : -1;
	const most = rows.reduce((best, row) => (sign * row.values[name] > sign * best.values[name] ? row : best));
	// Values that read the same are a tie: no run is the best.
	return rows.every((row) => shown(name, row.values[name]) === shown(name, most.values[name])) ? undefined : most;
}
const tiesOf = (name, best) => runs.filter((run) => run.status !== "deadlocked" && shown(name, run.values[name]) === shown(name, best.values[name])).length;
const winner = (name, best) => (tiesOf(name, best) > 1 ? `${best.policy} and ${tiesOf(name, best) - 1} more` : best.policy);

// ---- head -------------------------------------------------------------------------------------------------

function addTile(value, text) {
	at("tiles").append(element("div", { class: "tile" }, element("b", {}, value), element("span", {}, text)));
}

function comparedTiles() {
	const fastest = bestOf("speedup"), hits = bestOf("l1_hit_rate"), traffic = bestOf("dram_bytes"), energy = data.definitions.values.energy && bestOf("energy");
	if (fastest)
		addTile(winner("speedup", fastest), `fastest: ${shown("speedup", fastest.values.speedup)} times ${runs[0].policy}`);
	if (hits)
		addTile(`${shown("l1_hit_rate", hits.values.l1_hit_rate)} %`, `highest L1 hit rate: ${winner("l1_hit_rate", hits)}`);
	if (traffic)
		addTile(`${shown("dram_bytes", traffic.values.dram_bytes)} MB`, `least DRAM traffic: ${winner("dram_bytes", traffic)}`);
	if (energy)
		addTile(`${shown("energy", energy.values.energy)} mJ`, `least energy: ${winner("energy", energy)}`);
}

function runTiles({ total }) {
	const { counters, metrics } = total;
	addTile(count(counters.cycles), `cycles, ${fixed(metrics.time, 1)} µs at ${count(data.machine.core_mhz)} MHz`);
	addTile(fixed(metrics.ipc, 2), `IPC, ${fixed(metrics.sm_ipc, 3)} per SM`);
	if (isNumber(metrics.l1_load_hit_rate))
		addTile(`${fixed(metrics.l1_load_hit_rate, 1)} %`, "L1 hit rate of loads");
	if (isNumber(metrics.l2_read_hit_rate))
		addTile(`${fixed(metrics.l2_read_hit_rate, 1)} %`, "L2 hit rate of reads");
	addTile(`${fixed(metrics.dram_bandwidth, 1)} %`, `DRAM bandwidth, ${fixed(metrics.dram_rate, 1)} GB/s`);
	if (isNumber(metrics.occupancy))
		addTile(`${fixed(metrics.occupancy, 1)} %`, "occupancy of SMs with a CTA");
}

function showHead() {
	const facts = data.run, words = facts.program ? facts.program.arguments.map((word) => ` ${word}`).join("") : "";
	const changes = facts.machine_changes.length ? `, with ${facts.machine_changes.join(", ")}` : "";
	const launches = runs[0].launch_count === 1 ? "one launch" : `${count(runs[0].launch_count)} launches`;
	const limit = facts.max_insns ? `, at most ${count(facts.max_insns)} warp instructions` : "";
	const what = several ? `${runs.length} policies on the same instructions, ${launches}${limit}.` : `Policy ${runs[0].chain}, ${launches}${limit}.`;
	document.title = `${facts.trace} on ${data.machine.name} – Sluice`;
	at("title").textContent = `${facts.trace}${words} on ${data.machine.name}`;
	at("subtitle").textContent = `${data.machine.title}${changes}. ${what}`;
	for (const run of runs)
		if (run.status !== "done")
			at("subtitle").append(` ${several ? `${run.policy}: the` : "The"} run was ${run.status}.`);
	at("observed").textContent = `Observed by ${data.observers}; observers change no counter.`;
	if (data.format === "sluice compare")
		comparedTiles();
	else
		runTiles(runs[0]);
}

function showContents() {
	for (const section of document.querySelectorAll("main section[id]:not([hidden])")) {
		const heading = section.querySelector("h2");
		if (heading)
			at("contents").append(element("a", { href: `#${section.id}` }, heading.textContent));
	}
}

// ---- side by side -------------------------------------------------------------------------------------------

function cardLines(name, best) {
	const largest = Math.max(...runs.map((run) => run.values[name] || 0));
	return runs.flatMap((run, i) => {
		const value = run.values[name], kind = best && shown(name, value) === shown(name, best.values[name]) ? "best" : i ? "" : "first";
		const width = isNumber(value) && largest > 0 ? (100 * value) / largest : 0;
		return [
			element("span", { class: "name", title: run.chain }, run.policy),
			element("div", { class: "track" }, element("div", { class: kind, style: `width: ${width}%` })),
			element("span", { class: kind === "best" ? "value best" : "value" }, shown(name, value)),
		];
	});
}

function showCompared() {
	at("compared").hidden = data.format !== "sluice compare";
	if (at("compared").hidden)
		return;
	const names = Object.keys(data.definitions.values);
	for (const name of names) {
		const definition = data.definitions.values[name], best = bestOf(name);
		const better = definition.better === "neither" ? "" : `, ${definition.better} is better`;
		at("cards").append(element("figure", { class: "card" },
			captionOf(named(definition.title.replace(/ (MB|mJ|%)$/, ""), definition), `${unitOf(name) || "times"}${better}`),
			element("div", { class: "bars" }, ...cardLines(name, best))));
	}
	at("figures").replaceChildren(table(["policy", "status", "cycles", ...names.map((name) => named(data.definitions.values[name].title, data.definitions.values[name]))],
		runs.map((run) => [
			element("abbr", { title: run.chain }, run.policy), run.status, count(run.total.counters.cycles),
			...names.map((name) => ({ text: shown(name, run.values[name]), grade: bestOf(name) && shown(name, run.values[name]) === shown(name, bestOf(name).values[name]) ? "good" : "" })),
		])));
}

// ---- tables ---------------------------------------------------------------------------------------------------

const kernelCell = (name) => (kernelText(name) === name ? name : element("abbr", { title: name }, kernelText(name)));
const dims = (values) => values.join("×");

function zoomButton(launch) {
	const button = element("button", { type: "button", class: "link", "aria-label": `show launch ${launch.launch} over time` }, `${launch.launch}`);
	button.addEventListener("click", () => {
		setView(launch.start, launch.end);
		at("time").scrollIntoView();
	});
	return button;
}

function showLaunches() {
	const left = runs[0].launch_count - runs[0].launches.length;
	const zooms = !several && timed.length;
	at("launches-note").textContent = `${zooms ? "Pick a launch to see it over time. " : ""}${left ? `The last ${count(left)} are not listed; all figures above include them.` : ""}`;
	const rows = several
		? launchStarts.map((launch, i) => [`${launch.launch}`, kernelCell(launch.kernel), dims(launch.grid), dims(launch.block), ...runs.map((run) => count(run.launches[i]?.cycles))])
		: launchStarts.map((launch) => [zooms ? zoomButton(launch) : `${launch.launch}`, kernelCell(launch.kernel), launch.status, dims(launch.grid), dims(launch.block), `${launch.ctas_per_sm}`, count(launch.cycles), count(launch.warp_insns),
			fixed(launch.ipc, 2), fixed(launch.occupancy, 1), fixed(launch.l1_load_hit_rate, 1), fixed(launch.l2_read_hit_rate, 1), fixed((launch.dram_read_bytes + launch.dram_write_bytes) * 1e-6, 2)]);
	const titles = several
		? ["launch", "kernel", "grid", "block", ...runs.map((run) => `${run.policy}, cycles`)]
		: ["launch", "kernel", "status", "grid", "block", "CTAs/SM", "cycles", "warp instructions", "IPC", "occupancy %", "L1 hit %", "L2 hit %", "DRAM MB"];
	at("launches-table").replaceChildren(table(titles, rows, several ? 2 : 3));
}

function showOwn() {
	const rows = runs.flatMap((run) => Object.entries(run.policy_counters).flatMap(([owner, counters]) =>
		Object.entries(counters).map(([name, value]) => [...(several ? [run.policy] : []), `${owner}: ${name}`, count(value)])));
	at("own").hidden = !rows.length;
	at("own-table").replaceChildren(table([...(several ? ["run"] : []), "counter", "value"], rows, several ? 2 : 1));
}

const GROUPS = [["Run", /^(cycles|sm_cycles|warp_insns|thread_insns|ctas|warps|warp_cycles)$/], ["SM-cycles", /^(issue_|stall_)/], ["Instructions", /^(insns_|lanes_)/], ["L1", /^l1_/],
	["Auxiliary cache", /^aux_/], ["Shared memory", /^smem_/], ["Interconnect", /^icnt_/], ["L2 and L3", /^l[23]_/], ["DRAM", /^dram_/], ["Others", /./]];
const groupOf = (name) => GROUPS.find(([, pattern]) => pattern.test(name))[0];
const folded = new Set();

// A name that shows its definition below itself.
function definedName(name, definition, columns) {
	const button = element("button", { type: "button", class: "link plain", "aria-expanded": "false" }, name);
	button.addEventListener("click", () => {
		const row = button.closest("tr"), open = row.nextElementSibling?.classList.contains("definition");
		button.setAttribute("aria-expanded", `${!open}`);
		if (open)
			row.nextElementSibling.remove();
		else
			row.after(element("tr", { class: "definition" }, element("td", { class: "text", colspan: columns }, `${definition.definition}${definition.unit ? ` (${definition.unit})` : ""}${definition.nsight_compute ? `; Nsight Compute: ${definition.nsight_compute}` : ""}`)));
	});
	return button;
}

function showCounters() {
	const wanted = at("filter").value.trim().toLowerCase(), zeros = at("zeros").checked, columns = runs.length + 1, body = [];
	const isShown = ([name, definition]) => (!wanted || name.includes(wanted) || definition.definition.toLowerCase().includes(wanted)) && (zeros || runs.some((run) => run.total.counters[name]));
	const groups = new Map(GROUPS.map(([title]) => [title, []]));
	Object.entries(data.definitions.counters).filter(isShown).forEach((entry) => groups.get(groupOf(entry[0])).push(entry));
	for (const [title, entries] of groups) {
		if (!entries.length)
			continue;
		const open = !!wanted || !folded.has(title);
		const button = element("button", { type: "button", class: "link plain", "aria-expanded": `${open}` }, `${open ? "▾" : "▸"} ${title}`);
		button.addEventListener("click", () => {
			if (!folded.delete(title))
				folded.add(title);
			showCounters();
		});
		body.push(element("tr", { class: "group" }, element("th", { scope: "rowgroup", class: "text", colspan: columns }, button)));
		for (const [name, definition] of open ? entries : [])
			body.push(element("tr", {}, element("td", { class: "text" }, definedName(name, definition, columns)), ...runs.map((run) => element("td", {}, count(run.total.counters[name])))));
	}
	const left = Object.keys(data.definitions.counters).filter((name) => !runs.some((run) => run.total.counters[name])).length;
	if (!body.length)
		body.push(element("tr", {}, element("td", { class: "text", colspan: columns }, "None.")));
	else if (!zeros && left && !wanted)
		body.push(element("tr", { class: "definition" }, element("td", { class: "text", colspan: columns }, `${count(left)} counters are 0 and not shown.`)));
	at("counters-table").replaceChildren(element("table", {}, element("thead", {}, element("tr", {}, ...["counter", ...runs.map((run) => (several ? run.policy : "value"))].map((title, i) => element("th", { scope: "col", class: i ? "" : "text" }, title)))), element("tbody", {}, ...body)));
}

function foldAll() {
	const all = folded.size < GROUPS.length;
	folded.clear();
	if (all)
		GROUPS.forEach(([title]) => folded.add(title));
	at("unfold").textContent = all ? "Unfold all" : "Fold all";
	showCounters();
}

showHead();
showCompared();
showBreakdown();
showRoofline();
showMemory();
showTime();
showInterference();
showLines();
showReuse();
showBalance();
showChannels();
showLaunches();
showOwn();
at("unfold").textContent = "Fold all";
showCounters();
showContents();
at("interference-kind").addEventListener("change", showInterference);
at("filter").addEventListener("input", showCounters);
at("zeros").addEventListener("change", showCounters);
at("unfold").addEventListener("click", foldAll);
