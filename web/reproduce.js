// The page of experiments: scoreboard, figures and claims from the JSON document of the report. Drawings are the files of
// --svg, which sluice puts into the document as text.

const report = JSON.parse(at("data").textContent);
// As the scoreboard has them, and as they are read.
const VERDICTS = { met: "met", direction: "direction", opposite: "opposite", not_measurable: "not measurable", open: "open" };
const classOf = (verdict) => Object.keys(VERDICTS).find((key) => VERDICTS[key] === verdict) ?? "open";
const code = (text) => element("code", {}, text);
const optional = (tag, text, attributes = {}) => (text ? [element(tag, attributes, text)] : []);
const figureName = (paper, figure) => `${paper.name}${paper.name && "/"}${figure.id}`;
// A sweep is one's own experiment: no paper, nothing published.
const own = report.papers.every((paper) => !paper.name);
const paperId = (paper) => paper.name || "own";
const scrolled = (node) => element("div", { class: "scroll" }, node);

// ---- scoreboard -----------------------------------------------------------------------------------------------

function scoreRow(name, score, kind) {
	const shares = Object.keys(VERDICTS).map((key) => element("i", { class: key, style: `width: ${score.claims ? (100 * (score[key] ?? 0)) / score.claims : 0}%` }));
	return element("tr", { class: kind }, element("td", { class: "text" }, name), element("td", {}, `${score.claims}`),
		...Object.keys(VERDICTS).map((key) => element("td", { class: key }, `${score[key] ?? 0}`)),
		element("td", { class: "text" }, element("div", { class: "share" }, ...shares)));
}

function showScoreboard() {
	const { total, papers } = report.scoreboard;
	at("board").hidden = !total.claims;
	if (!total.claims)
		return;
	const rows = report.papers.flatMap((paper) => {
		const own = papers[paper.name];
		return [scoreRow(element("a", { href: `#${paperId(paper)}` }, paper.title), own, ""),
			...["baseline", "prediction"].filter((flag) => own[flag]).map((flag) => scoreRow(`\u00a0\u00a0${flag}`, own[flag], "soft"))];
	});
	const head = [element("th", { class: "text" }, own ? "" : "paper"), element("th", {}, "claims"), ...Object.values(VERDICTS).map((name) => element("th", {}, name)), element("th")];
	at("scoreboard").append(element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows, scoreRow("all", total, "total")));
	for (const [key, name] of [["", "all"], ...Object.entries(VERDICTS)]) {
		const button = element("button", { "data-verdict": key, "aria-pressed": `${!key}`, class: key }, name);
		button.addEventListener("click", () => filterClaims(button.getAttribute("aria-pressed") === "true" ? "" : key));
		at("filter").append(button);
	}
}

// Shows the claims of one verdict, or all.
function filterClaims(wanted) {
	for (const button of document.querySelectorAll("#filter button"))
		button.setAttribute("aria-pressed", `${button.dataset.verdict === wanted}`);
	for (const row of document.querySelectorAll(".claims tbody tr"))
		row.hidden = wanted !== "" && row.dataset.verdict !== wanted;
}

// ---- claims ---------------------------------------------------------------------------------------------------

function claimRow(claim) {
	const kind = classOf(claim.verdict), where = [claim.where, claim.flag].filter(Boolean).join(", ");
	return element("tr", { "data-verdict": kind },
		element("td", { class: "text value" }, claim.id), element("td", { class: `text verdict ${kind}` }, claim.verdict),
		element("td", {}, claim.published_text), element("td", {}, claim.measured_text),
		element("td", { class: "says" }, claim.says ?? "", element("span", { class: "soft" }, ` (${where})`),
			...optional("i", claim.reason), ...optional("i", claim.note), ...optional("code", claim.command)));
}

function claimsTable(claims) {
	const head = ["claim", "verdict", own ? "expected" : "published", "measured", own ? "formula" : "what the paper says"];
	return scrolled(element("table", { class: "claims" },
		element("thead", {}, element("tr", {}, ...head.map((title, i) => element("th", i === 2 || i === 3 ? {} : { class: "text" }, title)))),
		element("tbody", {}, ...claims.map(claimRow))));
}

// ---- figures --------------------------------------------------------------------------------------------------

const cellText = (value) => (isNumber(value) ? value.toFixed(Math.abs(value) >= 1000 ? 0 : 3) : "");

function valuesTable({ series, x }) {
	const columns = series.flatMap((one) => [{ title: one.label, values: one.values, kind: "" },
		...(one.published?.some(isNumber) ? [{ title: "published", values: one.published, kind: "soft" }] : [])]);
	return scrolled(table(["", ...columns.map(({ title }) => title)],
		x.map((label, row) => [`${label}`, ...columns.map(({ values, kind }) => ({ text: cellText(values[row]), grade: kind }))]), 1, { class: "values" }));
}

const FOLD_ROWS = 12;
// Letters stay large enough to read: what does not fit scrolls.
const LEAST_SCALE = 0.9;

function chartNode(chart) {
	if (!chart.drawing) {
		const title = element("p", { class: "note" }, element("b", {}, [chart.title, chart.of].filter(Boolean).join(": ")));
		return element("div", {}, title, chart.x.length > FOLD_ROWS ? element("details", {}, element("summary", {}, `Table of ${chart.x.length} rows`), valuesTable(chart)) : valuesTable(chart));
	}
	const drawing = document.importNode(new DOMParser().parseFromString(chart.drawing, "image/svg+xml").documentElement, true);
	const width = Number(drawing.getAttribute("viewBox")?.split(" ")[2]);
	drawing.style.minWidth = `${Math.round(width * LEAST_SCALE)}px`;
	if (own)
		drawing.style.maxWidth = `${Math.round(width * 2)}px`;
	return element("div", {}, scrolled(drawing), ...(chart.panels ? [] : [element("details", {}, element("summary", {}, "Table"), valuesTable(chart))]));
}

function missingRuns({ failed }) {
	if (!failed.length)
		return [];
	return [element("details", { open: "" }, element("summary", {}, `${failed.length} runs without a result`),
		element("ul", {}, ...failed.map((run) => element("li", {}, `${run.series}, ${run.workload} ${run.point}: ${run.message}`))))];
}

function figureSection(paper, figure) {
	const name = figureName(paper, figure), claims = paper.claims.filter((claim) => claim.figures?.includes(name));
	const csv = element("a", { download: `${paper.name}${paper.name && "-"}${figure.id}.csv`, href: `data:text/csv;charset=utf-8,${encodeURIComponent(figure.csv)}` }, "CSV");
	return element("section", { class: "card figure", id: name },
		element("h3", {}, own && figure.title === at("title").textContent ? "" : figure.title, element("span", { class: "where" }, ` ${figure.where ?? ""}`)),
		element("p", { class: "note" }, code(figure.command), " · ", csv), ...optional("p", figure.note, { class: "note" }),
		element("div", { class: "charts" }, ...figure.charts.map(chartNode)),
		...missingRuns(figure.runs), ...(claims.length ? [claimsTable(claims)] : []));
}

function showPaper(paper) {
	const names = paper.figures.map((figure) => figureName(paper, figure));
	const others = paper.claims.filter((claim) => !claim.figures?.some((name) => names.includes(name)));
	at("papers").append(...(own ? [] : [element("h2", { id: paperId(paper) }, paper.title),
		element("nav", {}, ...paper.figures.map((figure, i) => element("a", { href: `#${names[i]}` }, figure.id)))]),
		...paper.figures.map((figure) => figureSection(paper, figure)));
	if (others.length)
		at("papers").append(element("section", { class: "card" }, element("h3", {}, own ? "Claims" : "Claims without a figure"), claimsTable(others)));
}

// ---- start ----------------------------------------------------------------------------------------------------

function showHead() {
	const { runs } = report, quick = report.mode === "quick";
	if (own) {
		const title = report.papers[0]?.figures[0]?.title || "Sweep";
		at("title").textContent = title;
		document.body.classList.add("own");
		at("legend").hidden = true;
	}
	document.title = `${at("title").textContent} – Sluice`;
	const extent = quick ? ", cut runs, an indication and no result" : own ? "" : ", as far as each paper went";
	at("subtitle").append(code(report.command), `${extent}: ` +
		`${runs.planned} simulations, ${runs.failed} failed. Sluice ${report.sluice}, model `, code(report.model.slice(0, 12)), `, ${report.finished}.`);
}

showHead();
showScoreboard();
report.papers.forEach(showPaper);
