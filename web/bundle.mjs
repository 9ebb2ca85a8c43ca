// Puts style, charting library and script into the page: node bundle.mjs SOURCE_FOLDER NODE_MODULES >PAGE
import { readFileSync } from "node:fs";

const [source, modules] = process.argv.slice(2);
const read = (path) => readFileSync(path, "utf8");

// A script element ends at the first "</script", wherever it stands.
const script = (text) => text.replaceAll("</script", "<\\/script").replace(/^\/\/# sourceMappingURL=.*$/gm, "");

const library = ["vega", "vega-lite", "vega-embed"].map((name) => {
	const licence = read(`${modules}/${name}/LICENSE`).replaceAll("*/", "* /");
	return `/*!\n${name}\n\n${licence}*/\n${script(read(`${modules}/${name}/build/${name}.min.js`))}`;
});

const parts = {
	STYLE: read(`${source}/base.css`) + read(`${source}/validate.css`),
	LIBRARY: library.join("\n"),
	SCRIPT: script(read(`${source}/validate.js`)),
};
process.stdout.write(read(`${source}/validate.html`).replace(/@(STYLE|LIBRARY|SCRIPT)@/g, (_, name) => parts[name]));
