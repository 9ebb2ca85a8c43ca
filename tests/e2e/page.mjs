// Opens pages and drawings in headless Chromium and looks at them as a reader would: node page.mjs CHROMIUM FILE...
// Speaks Chromium's debugging protocol over a pipe, so it needs no package. Prints what is wrong, one line each;
// exit status 1 if anything is. With SHOTS=PREFIX, screenshots go to PREFIX-light.png, -dark.png and -phone.png.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { pathToFileURL } from "node:url";

const [chromium, ...files] = process.argv.slice(2), shots = process.env.SHOTS;
const profile = mkdtempSync(`${tmpdir()}/page-`);
const child = spawn(chromium, ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe",
	`--user-data-dir=${profile}`, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const wrong = [], waiting = new Map();
let next = 1, rest = "", onLoad, urls = [];

child.stdio[4].on("data", (chunk) => {
	const parts = (rest + chunk).split("\0");
	rest = parts.pop();
	for (const part of parts) {
		const message = JSON.parse(part);
		if (message.id)
			waiting.get(message.id)(message.error ? { failed: message.error.message } : message.result);
		else
			onEvent(message);
	}
});

function onEvent({ method, params }) {
	if (method === "Page.loadEventFired")
		onLoad();
	else if (method === "Runtime.exceptionThrown")
		wrong.push(`exception: ${params.exceptionDetails.text} ${params.exceptionDetails.exception?.description ?? ""}`);
	else if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type))
		wrong.push(`console ${params.type}: ${params.args.map((arg) => arg.value ?? arg.description).join(" ")}`);
	else if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level))
		wrong.push(`log ${params.entry.level}: ${params.entry.text}`);
	else if (method === "Network.requestWillBeSent" && !/^(data|blob):/.test(params.request.url))
		urls.push(params.request.url);
}

function send(method, params = {}, sessionId = undefined) {
	const id = next++;
	child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
	return new Promise((resolve) => waiting.set(id, resolve));
}

// What is checked in the page itself; returns texts of what is wrong.
function look() {
	const bad = [];
	const charts = [...document.querySelectorAll("svg.chart")];
	if (!charts.length && !document.querySelector(".track .m"))
		bad.push("no chart");
	for (const chart of charts) {
		const name = `${chart.closest("section")?.id}: ${chart.querySelector("text")?.textContent}`;
		const marks = [...chart.querySelectorAll(".m")].filter((mark) => {
			const box = mark.getBBox();
			return box.width > 0 || box.height > 0;
		});
		if (!marks.length)
			bad.push(`${name} has no marks`);
		const frame = chart.getBoundingClientRect();
		for (const text of chart.querySelectorAll("text")) {
			const box = text.getBoundingClientRect();
			if (box.left < frame.left - 1 || box.bottom > frame.bottom + 1 || box.top < frame.top - 1)
				bad.push(`${name}: '${text.textContent}' is cut off`);
		}
	}
	for (const link of document.querySelectorAll("a[href^='#']"))
		if (!document.getElementById(decodeURIComponent(link.getAttribute("href").slice(1))))
			bad.push(`a link to ${link.getAttribute("href")}, which is not there`);
	for (const figure of document.querySelectorAll("section.figure"))
		if (!figure.querySelector("a[download]") || !figure.querySelector("code"))
			bad.push(`${figure.id} has no CSV or no command`);
	const rows = [...document.querySelectorAll(".claims tbody tr")];
	for (const row of rows)
		if (!row.querySelector(".verdict")?.textContent)
			bad.push(`a claim without a verdict: ${row.textContent}`);
	const button = document.querySelector("#filter button[data-verdict='met']");
	if (button) {
		button.click();
		if (rows.some((row) => row.hidden !== (row.dataset.verdict !== "met")))
			bad.push("the filter shows other claims than those that are met");
		button.click();
		if (rows.some((row) => row.hidden))
			bad.push("the filter does not show all claims again");
	}
	return bad;
}

// What a page of runs says of its range: the inputs, and the charts' labels without what the range does not decide.
function rangeOf() {
	const [from, to] = ["range-from", "range-to"].map((id) => Number(document.getElementById(id).value));
	const charts = [...document.querySelectorAll("#time-charts svg.chart")].map((chart) => /from cycle (\d+) to (\d+)/.exec(chart.getAttribute("aria-label")).slice(1).map(Number));
	return { from, to, agree: charts.length >= 7 && charts.every(([a, b]) => a === from && b === to), paths: document.querySelector("#time-charts .m")?.getAttribute("d") };
}

// Text from the data must not have become anything else.
function untrusted() {
	const bad = [];
	if (window.hacked !== undefined || document.querySelector("main img, main iframe, main script, [onerror], [onload]"))
		bad.push("a name became an element");
	if (document.querySelectorAll("script").length !== 2)
		bad.push(`${document.querySelectorAll("script").length} scripts`);
	for (const id of ["breakdown-chart", "roofline-chart", "memory-charts", "channels-charts", "time-charts", "interference-charts", "lines-table", "reuse-chart", "balance-charts", "launches-table", "counters-table"])
		if (!document.getElementById(id)?.children.length)
			bad.push(`#${id} is empty`);
	for (const [name, text] of [["_Z6expand5graph6search", "expand"], ["_ZN4math3addEf", "math::add"], ["plain", "plain"], ["_Z99x", "_Z99x"]])
		if (kernelText(name) !== text)
			bad.push(`kernel ${name} is called ${kernelText(name)}`);
	for (const chart of document.querySelectorAll("svg.chart, .track[role]"))
		if (!chart.getAttribute("aria-label"))
			bad.push("a chart without a label");
	return bad;
}

// A page of runs: dragging across a chart zooms all of them, keys too; Escape and the button show the whole run.
async function lookAtRun(tell, evaluate) {
	const range = () => evaluate(`(${rangeOf})()`);
	const box = await evaluate(`(() => { const b = document.querySelector("#time-charts svg.chart").getBoundingClientRect(); scrollTo(0, b.top + scrollY - 100); const c = document.querySelector("#time-charts svg.chart").getBoundingClientRect(); return { x: c.x, y: c.y, width: c.width, height: c.height }; })()`);
	wrong.push(...await evaluate(`(${untrusted})()`));
	const mouse = (type, share) => tell("Input.dispatchMouseEvent", { type, x: box.x + share * box.width, y: box.y + box.height / 2, button: type === "mouseMoved" ? "none" : "left", buttons: 1, clickCount: 1 });
	const key = async (name) => {
		await evaluate("document.querySelector('#time-charts svg.chart').focus()");
		await tell("Input.dispatchKeyEvent", { type: "keyDown", key: name, text: name.length === 1 ? name : undefined });
		await tell("Input.dispatchKeyEvent", { type: "keyUp", key: name });
		return range();
	};
	const expect = (name, { from, to, agree, paths }, low, high) => {
		if (!agree)
			wrong.push(`${name}: the charts do not show the same range`);
		if (from < low[0] || from > low[1] || to < high[0] || to > high[1])
			wrong.push(`${name}: cycles ${from} to ${to}, not about ${low} to ${high}`);
		return paths;
	};
	const whole = await range(), all = whole.to, near = (share) => [all * (share - 0.06), all * (share + 0.06)];
	const before = expect("at first", whole, [0, 0], [1, Infinity]);
	for (const [type, share] of [["mousePressed", 0.4], ["mouseMoved", 0.5], ["mouseMoved", 0.6]])
		await mouse(type, share);
	if (await evaluate("document.getElementById('tip').hidden || !document.getElementById('tip').textContent"))
		wrong.push("no tooltip under the pointer");
	await mouse("mouseReleased", 0.6);
	if (expect("brushed", await range(), near(0.38), near(0.6)) === before)
		wrong.push("brushed: the line is the same as before");
	expect("Escape", await key("Escape"), [0, 0], [all, all]);
	expect("plus", await key("+"), near(0.25), near(0.75));
	await evaluate("document.getElementById('range-reset').click()");
	expect("the button", await range(), [0, 0], [all, all]);
	await evaluate("document.querySelector(\"input[value='lost']\").click(); document.getElementById('filter').value = 'dram_'; document.getElementById('filter').dispatchEvent(new Event('input'))");
	if (await evaluate("[...document.querySelectorAll('#counters-table tbody tr:not(.group)')].some((row) => !row.textContent.startsWith('dram_'))"))
		wrong.push("the filter of counters shows others");
	if (await evaluate("!/had lost/.test(document.getElementById('interference-charts').textContent)"))
		wrong.push("the choice of what the matrix counts does nothing");
}

// A page of a validation: a button singles its program out, and the histogram shows the counter that is chosen.
function lookAtValidation() {
	const bad = [], [button] = document.querySelectorAll("#legend button"), marks = [...document.querySelectorAll(".plot .m")];
	const dimmed = () => marks.filter((mark) => mark.classList.contains("dim")).length;
	const others = marks.filter((mark) => mark.dataset.program !== button.value).length;
	button.click();
	if (!others || dimmed() !== others)
		bad.push(`the button of ${button.value} dims ${dimmed() || "no mark"}, not ${others}`);
	button.click();
	if (dimmed())
		bad.push("the second click does not show all marks again");
	const measure = document.getElementById("measure"), before = document.getElementById("histogram").innerHTML;
	const other = [...measure.options].find((option) => !option.selected);
	if (other) {
		measure.value = other.value;
		measure.dispatchEvent(new Event("change"));
		if (document.getElementById("histogram").innerHTML === before)
			bad.push("the histogram does not follow the counter");
	}
	return bad;
}

// Text whose contrast with what lies behind it is below 4.5 : 1 (WCAG AA), and controls that the keyboard does not reach.
function readable() {
	const bad = [], seen = new Set();
	const parse = (text) => (text.match(/[\d.]+/g) || []).map(Number);
	const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const behind = (node) => {
		for (let at = node; at; at = at.parentElement) {
			const colour = parse(getComputedStyle(at).backgroundColor);
			if (colour.length === 3 || colour[3] > 0.5)
				return colour;
		}
		return [255, 255, 255];
	};
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node; (node = walker.nextNode());) {
		const own = node.parentElement, style = getComputedStyle(own);
		if (!node.textContent.trim() || ["SCRIPT", "STYLE", "TITLE", "title"].includes(own.tagName) || !own.getClientRects().length || own.closest(":disabled, [hidden]"))
			continue;
		const ink = parse(own instanceof SVGElement ? style.fill : style.color), a = light(ink), b = light(behind(own));
		const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), where = `${own.closest("[id]")?.id} ${own.tagName} ${own.className?.baseVal ?? own.className}`;
		if (contrast < 4.5 && !seen.has(where)) {
			seen.add(where);
			bad.push(`${where}: '${node.textContent.trim().slice(0, 30)}' has a contrast of ${contrast.toFixed(2)}`);
		}
	}
	for (const control of document.querySelectorAll("button, a[href], input, select, summary, svg.timed"))
		if (control.tabIndex < 0)
			bad.push(`${control.tagName} '${control.textContent.slice(0, 30)}' is out of the keyboard's reach`);
	for (const row of document.querySelectorAll("tr[data-line]"))
		if (!row.querySelector("button")) {
			bad.push(`a row of #${row.closest("[id]")?.id} that only the pointer picks`);
			break;
		}
	return bad;
}

// Light, dark, and as wide as a large screen, a small one, and a phone.
async function lookAtPage(tell, evaluate) {
	const shoot = async (name) => {
		if (!shots)
			return;
		const { data } = await tell("Page.captureScreenshot", { captureBeyondViewport: name !== "phone" });
		writeFileSync(`${shots}-${name}.png`, Buffer.from(data, "base64"));
	};
	await shoot("light");
	wrong.push(...await evaluate(`(${readable})()`));
	const light = await evaluate("getComputedStyle(document.body).backgroundColor");
	await tell("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
	if (light === await evaluate("getComputedStyle(document.body).backgroundColor"))
		wrong.push("dark and light look the same");
	wrong.push(...(await evaluate(`(${readable})()`)).map((text) => `dark: ${text}`));
	await shoot("dark");
	await tell("Emulation.setEmulatedMedia", { features: [] });
	for (const size of [1400, 800, 390]) {
		await tell("Emulation.setDeviceMetricsOverride", { width: size, height: 844, deviceScaleFactor: 1, mobile: size === 390 });
		const width = await evaluate("document.documentElement.scrollWidth");
		if (!(width <= size))
			wrong.push(`on a screen of ${size} pixels the page is ${width} wide`);
	}
	await shoot("phone");
}

async function visit(file, tell) {
	const evaluate = async (text) => (await tell("Runtime.evaluate", { expression: text, returnByValue: true })).result?.value;
	const loaded = new Promise((resolve) => (onLoad = resolve)), own = pathToFileURL(file);
	urls = [];
	await tell("Emulation.setDeviceMetricsOverride", { width: 1280, height: 1600, deviceScaleFactor: 1, mobile: false });
	await tell("Page.navigate", { url: own.href });
	await loaded;
	if (await evaluate("document.querySelector('parsererror') !== null"))
		wrong.push(`${file} is not well-formed`);
	wrong.push(...((await evaluate(`(${look})()`)) ?? [`${file} could not be looked at`]));
	if (await evaluate("document.getElementById('time-charts') !== null"))
		await lookAtRun(tell, evaluate);
	if (await evaluate("document.getElementById('histogram') !== null"))
		wrong.push(...await evaluate(`(${lookAtValidation})()`));
	if (!file.endsWith(".svg"))
		await lookAtPage(tell, evaluate);
	for (const url of new Set(urls))
		if (url !== own.href)
			wrong.push(`${file} loads ${url}`);
}

async function main() {
	const { targetInfos } = await send("Target.getTargets");
	const target = targetInfos.find((info) => info.type === "page").targetId;
	const { sessionId } = await send("Target.attachToTarget", { targetId: target, flatten: true });
	const tell = (method, params) => send(method, params, sessionId);
	for (const domain of ["Page", "Runtime", "Log", "Network"])
		await tell(`${domain}.enable`);
	for (const file of files)
		await visit(file, tell);
	await send("Browser.close");
}

const limit = setTimeout(() => {
	console.log("Chromium does not answer");
	child.kill("SIGKILL");
	process.exit(1);
}, 120000);
await main();
clearTimeout(limit);
await new Promise((resolve) => (child.exitCode === null ? child.once("exit", resolve) : resolve()));
rmSync(profile, { recursive: true, force: true });
for (const line of wrong)
	console.log(line);
process.exit(wrong.length ? 1 : 0);
