// Makes dist/page.js, the only script of a report's page. It contains src/ and the imported packages, with their licences at the top.
import { build } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('.', import.meta.url)));

// The colours of errors are those of `skinbench render`; the only table of them is in C.
const table = readFileSync('../../render/color_map.c', 'utf8');
const colors = [...table.matchAll(/0x([0-9a-f]{6}),? ?/g)].map(match => match[1]).slice(0, 256);
if (colors.length !== 256 || colors[0] !== 'fcfdbf' || colors[255] !== '3b0f70')
    throw new Error('harness/show/render/color_map.c: the table of 256 colours is not where it was');

const result = await build({
    entryPoints: ['src/main.ts'],
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['es2022', 'chrome111', 'firefox114', 'safari16.4'],
    charset: 'utf8',
    legalComments: 'none',
    define: { COLOR_MAP: JSON.stringify(colors.join('')) },
    outfile: 'dist/page.js',
    metafile: true,
    write: false,
});

/** @param {string} name */
function licence(name) {
    const folder = `node_modules/${name}/`;
    /** @type {unknown} */
    const read = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
    const description = /** @type {{version: string, license: string}} */ (read);
    const texts = readdirSync(folder)
        .filter(file => /^(licen[cs]e|notice|copying|copyrightnotice)(\.|$)/i.test(file))
        .map(file => readFileSync(folder + file, 'utf8').trim());
    if (texts.length === 0)
        throw new Error(`${name} has no file with its licence`);
    return `${name} ${description.version} (${description.license})\n\n${texts.join('\n\n')}`;
}

const inputs = Object.keys(result.metafile.inputs);
const packages = new Set(inputs.flatMap(path => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
const header = `/*!
The script of skinbench's report: built by harness/show/report/page, which has its source. MIT licence. It contains:

${[...packages].sort().map(licence).join(`\n\n${'-'.repeat(100)}\n\n`).replaceAll('*/', '* /')}
*/
`;
const script = header + (result.outputFiles[0]?.text ?? '');
mkdirSync('dist', { recursive: true });
writeFileSync('dist/page.js', script);
console.log(`dist/page.js: ${(script.length / 1e6).toFixed(2)} MB, with ${[...packages].sort().join(', ')}`);
