// Opens a report in headless Chromium as a reader does, from its folder, at the widths of a telephone, a tablet and a desk,
// light and dark, and checks what is seen and what answers.
//   node page_test.js CHROMIUM REPORT [PICTURES]     PICTURES: a folder for pictures of what was looked at
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';
import { contrastCheck } from './contrast.js';

/** @import { Browser, ElementHandle, Page } from 'puppeteer-core' */

const CONTRAST = 4.5;
const [chromium = '', report = '', pictures] = process.argv.slice(2);

/** @param {Page} page @param {string} what */
async function picture(page, what) {
    if (pictures !== undefined)
        await page.screenshot({ path: join(pictures, `${what}.png`), fullPage: what.endsWith('whole') });
}

/** A page that notes whatever goes wrong in it. @param {Browser} browser @param {number} width @param {'light' | 'dark'} theme */
async function pageOpen(browser, width, theme, scripts = true) {
    const page = await browser.newPage();
    /** @type {string[]} */
    const faults = [];
    page.on('console', message => ['error', 'warn'].includes(message.type()) && faults.push(`console: ${message.text()}`));
    page.on('pageerror', error => faults.push(`error: ${String(error)}`));
    page.on('requestfailed', request => faults.push(`failed: ${request.url().slice(0, 200)}`));
    page.on('request', request => /^(file|data|blob):/.test(request.url()) || faults.push(`leaves the folder: ${request.url()}`));
    await page.setJavaScriptEnabled(scripts);
    await page.setViewport({ width, height: width < 500 ? 844 : 900, isMobile: width < 500, hasTouch: width < 500 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await page.goto(pathToFileURL(join(report, 'index.html')).href, { waitUntil: 'load' });
    return { page, faults };
}

/** @param {Page} page @param {string} what */
async function sidewaysCheck(page, what) {
    const wide = await page.evaluate(() => {
        const seen = document.documentElement.clientWidth;
        // Content of a box that scrolls or clips does not widen the page.
        const clipped = (/** @type {Element | null} */ at) => {
            for (; at !== null && at !== document.body; at = at.parentElement)
                if (getComputedStyle(at).overflowX !== 'visible')
                    return true;
            return false;
        };
        if (document.documentElement.scrollWidth <= seen)
            return [];
        return [...document.body.querySelectorAll('*')]
            .filter(one => one.getBoundingClientRect().right > seen + 0.5 && !clipped(one.parentElement))
            .map(one => one.outerHTML.slice(0, 120));
    });
    assert.deepEqual(wide.slice(0, 3), [], `${what}: the page scrolls sideways`);
}

/** @param {Page} page @param {string} what */
async function contrastAssert(page, what) {
    const { checked, faults } = await page.evaluate(contrastCheck, CONTRAST);
    assert(checked > 20, `${what}: only ${checked} texts`);
    assert.deepEqual(faults.slice(0, 5), [], `${what}: ${faults.length} of ${checked} texts have too little contrast`);
}

/** What axe-core finds: "rule: how often, where first". @param {Page} page @returns {Promise<string[]>} */
async function axeFaults(page) {
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    return page.evaluate(async () => {
        const { axe } = /** @type {{axe: typeof import('axe-core')}} */ (/** @type {unknown} */ (window));
        const { violations } = await axe.run({ preload: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] });
        return violations.map(one => `${one.id}: ${one.nodes.length} times, ${one.nodes[0]?.html.slice(0, 200)}`);
    });
}

/** The numbers of a column as they are shown, and the text of each of its rows' cells. @param {Page} page @param {string} table @param {number} column */
const columnRead = (page, table, column) => page.$eval(`#${table}`, (element, at) => {
    const rows = [...(/** @type {HTMLTableElement} */ (element).tBodies[0]?.rows ?? [])].filter(row => !row.hidden);
    return rows.map(row => ({ value: row.cells[at]?.dataset.value ?? '', text: row.cells[at]?.textContent.trim() ?? '' }));
}, column);

/** @param {Page} page */
async function tablesCheck(page) {
    const tables = await page.$$eval('table.data', all => all.map(table => {
        const element = /** @type {HTMLTableElement} */ (table);
        const rows = [...(element.tBodies[0]?.rows ?? [])];
        const heads = [...(element.tHead?.rows[element.tHead.rows.length - 1]?.cells ?? [])];
        const distinct = (/** @type {number} */ at) => new Set(rows.map(row => row.cells[at]?.dataset.value).filter(Boolean)).size;
        return {
            id: element.id, rows: rows.length, heads: heads.length,
            numbers: heads.flatMap((head, at) => (head.dataset.kind === 'number' && distinct(at) > 2 ? [at] : [])),
        };
    }));
    assert(tables.length > 3, `only ${tables.length} tables`);
    for (const table of tables)
        assert(table.rows > 0 && table.heads > 0, `the table ${table.id} has ${table.rows} rows and ${table.heads} headings`);

    const sorted = tables.filter(table => table.numbers.length > 0).slice(0, 3);
    assert(sorted.length > 0, 'no table has a column of numbers to sort');
    for (const { id, numbers: [column = 0] } of sorted) {
        const heading = `#${id} thead tr:last-child th:nth-child(${column + 1})`;
        const button = await page.$(`${heading} button`);
        assert(button !== null, `${id}: its heading is no button`);
        const before = await columnRead(page, id, column);
        const values = before.map(cell => cell.value).filter(value => value !== '').map(Number).sort((a, b) => a - b);
        const padding = before.filter(cell => cell.value === '').length;
        await button.focus();
        await page.keyboard.press('Enter');
        const up = (await columnRead(page, id, column)).map(cell => cell.value);
        assert.deepEqual(up.slice(0, values.length).map(Number), values, `${id} does not sort upwards`);
        assert.equal(await page.$eval(heading, head => head.getAttribute('aria-sort')), 'ascending');
        await page.$eval(heading, head => /** @type {HTMLElement} */ (head).click());
        const down = (await columnRead(page, id, column)).map(cell => cell.value);
        assert.deepEqual(down.slice(0, values.length).map(Number), values.reverse(), `${id} does not sort downwards`);
        assert(down.slice(values.length).every(value => value === ''), `${id}: ${padding} cells without a number do not stand last`);
        await page.$eval(heading, head => /** @type {HTMLElement} */ (head).click());
        assert.deepEqual(await columnRead(page, id, column), before, `${id} does not return to its first order`);
    }
    return tables.length;
}

/** @param {Page} page */
async function filtersCheck(page) {
    const filtered = await page.$$eval('.filters', bars => bars.map(bar => {
        const table = /** @type {HTMLTableElement | null} */ (bar.nextElementSibling?.querySelector('table.data') ?? null);
        const select = /** @type {HTMLSelectElement | null} */ (bar.querySelector('select'));
        const heads = [...(table?.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [])];
        const name = select?.parentElement?.firstChild?.textContent?.trim();
        return { id: table?.id ?? '', column: heads.findIndex(head => head.textContent.trim() === name), options: [...(select?.options ?? [])].map(option => option.value) };
    }));
    assert(filtered.length > 0, 'no table has a filter');
    const { id, column, options } = filtered[0] ?? assert.fail();
    const all = await columnRead(page, id, column);
    const chosen = options[1] ?? assert.fail(`${id}: its filter offers nothing`);
    const choose = (/** @type {string} */ value) => page.$eval(`.table:has(#${id})`, (box, wanted) => {
        const select = box.previousElementSibling?.querySelector('select');
        if (select instanceof HTMLSelectElement) {
            select.value = wanted;
            select.dispatchEvent(new Event('change', { bubbles: true }));
        }
    }, value);
    await choose(chosen);
    const left = await columnRead(page, id, column);
    const expected = all.filter(cell => cell.text === chosen).length;
    assert(expected > 0 && expected < all.length && left.length === expected && left.every(cell => cell.text === chosen),
        `${id}, ${chosen}: ${left.length} rows are left of ${all.length}, expected ${expected}`);
    await choose('');
    assert.equal((await columnRead(page, id, column)).length, all.length);
}

/** @param {Page} page @param {number} most */
async function plotsCheck(page, most) {
    const expected = await page.evaluate(() => {
        const plots = /** @type {{skinbench?: {plots?: Record<string, {kind: string, series: {points: {x: number | null, y: number | null}[]}[]}>}}} */ (/** @type {unknown} */ (window)).skinbench?.plots ?? {};
        return Object.entries(plots).map(([id, plot]) => ({ id, kind: plot.kind, points: plot.series.flatMap(one => one.points).filter(point => point.x !== null && point.y !== null).length }));
    });
    assert(expected.length > 0, 'data.js has no plots');
    let drawn = 0;
    for (const { id, kind, points } of expected.slice(0, most)) {
        const figure = await page.$(`figure.plot[data-plot="${id}"]`);
        if (figure === null || points === 0)
            continue;
        await figure.scrollIntoView();
        await page.waitForSelector(`figure.plot[data-plot="${id}"][data-drawn] svg`, { timeout: 5000 });
        const marks = await figure.$$eval('svg path', paths => paths.length);
        assert(kind === 'box' ? marks > 0 : marks >= points, `the plot ${id} has ${marks} marks for ${points} points`);
        assert(await figure.$eval('svg', svg => svg.getBoundingClientRect().height > 100), `the plot ${id} has no height`);
        assert(await figure.$$eval('img', images => images.every(image => !image.checkVisibility())), `the picture of ${id} stands beside its plot`);
        drawn++;
    }
    assert(drawn > 0, 'no plot is drawn');
    return drawn;
}

/**
 * How many colours a picture of the element has, and what share of its pixels differs from the last such picture.
 * @param {Page} page @param {ElementHandle} element
 */
async function pixelsRead(page, element) {
    const taken = await element.screenshot({ encoding: 'base64' });
    return page.evaluate(async data => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
        context?.drawImage(image, 0, 0);
        const pixels = new Uint32Array(context?.getImageData(0, 0, image.width, image.height).data.buffer ?? new ArrayBuffer(0));
        const kept = /** @type {{lastPixels?: Uint32Array}} */ (/** @type {unknown} */ (window));
        const last = kept.lastPixels;
        kept.lastPixels = pixels;
        let differing = 0;
        for (let i = 0; i < pixels.length; i++)
            differing += last?.[i] === pixels[i] ? 0 : 1;
        return { colors: new Set(pixels).size, differing: differing / pixels.length };
    }, taken);
}

/** @param {Page} page @param {boolean} whole whether all that it offers is tried */
async function viewCheck(page, whole) {
    const section = (await page.$('section#view')) ?? assert.fail('no section for the 3D view');
    await section.scrollIntoView();
    await page.waitForSelector('.view[data-state="ready"] canvas[data-frame]', { timeout: 15000 });
    const stage = (await page.$('.view .stage')) ?? assert.fail();
    await page.evaluate(() => { // shapes alone are compared; the page's policy forbids the style in an element
        const style = new CSSStyleSheet();
        style.replaceSync('.worst { display: none; }');
        document.adoptedStyleSheets.push(style);
    });
    const last = Number(await page.$eval('.player input', input => /** @type {HTMLInputElement} */ (input).max));
    assert(last > 1, `the scene has ${last + 1} frames`);
    const seek = async (/** @type {number} */ frame) => {
        await page.$eval('.player input', (input, value) => {
            /** @type {HTMLInputElement} */ (input).value = String(value);
            input.dispatchEvent(new Event('input'));
        }, frame);
        await page.waitForSelector(`.view canvas[data-frame="${frame}"]`, { timeout: 5000 });
    };
    const differs = async (/** @type {string} */ what) => {
        const { colors, differing } = await pixelsRead(page, stage);
        assert(colors > 50, `${what}: the view has ${colors} colours`);
        assert(differing > 0.002, `${what}: ${differing * 100} % of the view's pixels differ`);
    };
    const shown = await page.$$eval('.windows figure', all => all.length);
    assert(shown > 1, `${shown} shape is shown`);
    await seek(0);
    await pixelsRead(page, stage);
    await seek(Math.floor(last / 2));
    await differs('another frame');
    const scenes = await page.$$eval('.view select[aria-label="scene"] option', options => options.map(option => option.value));
    if (!whole)
        return scenes.length;
    for (const way of ['wipe', 'overlay', '']) {
        await page.select('.view select[aria-label="how two shapes stand"]', way);
        await page.waitForFunction(count => document.querySelectorAll('.windows figure').length === count, { timeout: 5000 }, way === '' ? shown : 1);
        await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
        await differs(way);
    }
    for (const label of ['colours', 'wireframe', 'skeleton']) {
        const box = await page.$(`.tick::-p-text(${label}) input`);
        if (box === null || !(await box.isVisible()))
            continue;
        await box.click();
        await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
        await differs(label);
        await box.click();
    }
    await page.focus('.view canvas');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await differs('turned by keys');
    const worst = await page.$('.windows figcaption button');
    if (worst !== null) {
        const frame = await worst.evaluate(button => /** @type {HTMLElement} */ (button).dataset.frame);
        await seek(frame === '0' ? last : 0);
        await worst.click();
        await page.waitForSelector(`.view canvas[data-frame="${frame}"]`, { timeout: 5000 });
        assert(await page.$('.worst') === null || await page.$('.worst.now') !== null, 'the worst vertex is not marked');
    }
    await seek(0);
    await page.locator('.player button').click();
    await page.waitForFunction(() => document.querySelector('.view canvas')?.getAttribute('data-frame') !== '0', { timeout: 5000 });
    await page.locator('.player button').click();
    for (const name of scenes.slice(1, 3)) {
        await page.select('.view select[aria-label="scene"]', name);
        await page.waitForSelector('.view[data-state="ready"]', { timeout: 15000 });
        await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
        await differs(`the scene ${name}`);
    }
    return scenes.length;
}

/** Contents, links to folded parts and records, the search, and a link to what the view shows. @param {Browser} browser */
async function linksCheck(browser) {
    const { page, faults } = await pageOpen(browser, 1400, 'light');
    await page.waitForSelector('html[data-scripts="ready"]', { timeout: 10000 });
    assert(await page.$$eval('nav.contents li a', all => all.length) > 3, 'there are no contents');
    const part = await page.$eval('details.part', one => one.id);
    await page.evaluate(id => { location.hash = id; }, part);
    await page.waitForFunction(id => /** @type {HTMLDetailsElement} */ (document.getElementById(id)).open, { timeout: 5000 }, part);
    await page.type('nav.contents input', 'no such words anywhere');
    assert(await page.$eval('.hits', one => /** @type {HTMLElement} */ (one).hidden), 'the search finds what is not there');
    // Hits are listed while one types, whole words of titles first, and Enter opens the first.
    const title = await page.$eval('details.part > summary', one => one.textContent.trim());
    const word = /[\p{L}\p{N}]+/u.exec(title)?.[0] ?? '';
    await page.$eval('nav.contents input', one => { /** @type {HTMLInputElement} */ (one).value = ''; });
    await page.type('nav.contents input', word);
    const hit = await page.$eval('.hits button', one => one.textContent);
    assert(new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'iu').test(hit), `${word} finds ${hit} first`);
    await page.keyboard.press('Enter');
    assert(await page.$$eval('details.part', (all, wanted) => all.some(one => /** @type {HTMLDetailsElement} */ (one).open && one.querySelector('summary')?.textContent.trim() === wanted), hit), 'Enter opens no part');
    // A method's name is explained where it is focused.
    await page.focus('table.data button.term');
    assert(await page.$eval('#term-tip', one => !(/** @type {HTMLElement} */ (one).hidden) && one.textContent.length > 20), 'a method is not explained');
    const asked = 'frame=3&camera=1,2,9,0,1,0&skeleton=true&joint=1&way=overlay&share=0.25';
    await page.goto(`${page.url().split('#')[0]}#view?${asked}`, { waitUntil: 'load' });
    await page.reload({ waitUntil: 'load' });
    await page.waitForSelector('.view[data-state="ready"]', { timeout: 15000 });
    await page.waitForSelector('.view canvas[data-frame="3"]', { timeout: 5000 });
    await page.locator('.controls button::-p-text(Link)').click();
    // The page's address repeats the request and lists the shapes.
    const given = new URLSearchParams((await page.evaluate(() => location.hash)).replace('#view?', ''));
    for (const [name, value] of new URLSearchParams(asked))
        assert.equal(name === 'camera' ? given.get(name)?.split(',').map(Number).join() : given.get(name), value, name);
    assert(given.getAll('shape').length > 1, String(given));
    assert.equal(await page.$$eval('.windows figure', all => all.length), 1, 'the link shows the shapes side by side');
    // A number shows its record as a card, with a command; Escape closes it where the reader was.
    const number = 'table.data td a[href^="records.html#r-"]';
    const record = await page.$eval(number, one => /** @type {HTMLAnchorElement} */ (one).href);
    await page.$eval(number, one => {
        for (let fold = one.closest('details'); fold !== null; fold = fold.parentElement?.closest('details') ?? null)
            fold.open = true;
        /** @type {HTMLElement} */ (one).focus();
    });
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog.card[open]', { timeout: 5000 });
    const card = await page.$eval('dialog.card', one => one.textContent);
    const shown = await page.$eval(number, one => one.textContent);
    for (const part of [shown, 'machine', 'commit', 'skinbench '])
        assert(card.includes(part), `${part} is not on the card: ${card}`);
    assert.deepEqual(await axeFaults(page), [], 'a card');
    await page.keyboard.press('Escape');
    assert.equal(await page.$('dialog.card[open]'), null, 'Escape does not close a card');
    assert(await page.$eval(number, one => one === document.activeElement), 'a card does not give the focus back');
    await page.goto(record, { waitUntil: 'load' });
    assert(await page.$eval(new URL(record).hash, one => one.checkVisibility()), 'a link to a record shows it folded');
    assert.deepEqual(faults, [], 'links');
    await page.close();
}

/** On paper all parts are open and every figure is drawn; afterwards the page is as before. @param {Browser} browser */
async function printCheck(browser) {
    const { page, faults } = await pageOpen(browser, 1400, 'light');
    await page.waitForSelector('html[data-scripts="ready"]', { timeout: 10000 });
    const folded = () => page.$$eval('details:not([open])', all => all.length);
    const before = await folded();
    assert(before > 3, `${before} parts are folded`);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.equal(await folded(), 0, 'parts are folded on paper');
    assert.equal(await page.$$eval('details > noscript', all => all.length), 0, 'parts are empty on paper');
    assert.equal(await page.$$eval('figure.plot:not([data-drawn]):not(:has(img)):has(.chart)', all => all.length), 0, 'figures are empty on paper');
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    assert(await folded() >= before, 'parts stay open after printing');
    assert.deepEqual(faults, [], 'printing');
    await page.close();
}

/** @param {string} folder */
const sizeOf = folder => readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);

const browser = await puppeteer.launch({
    executablePath: chromium,
    // Software rendering, so that the view can be tested on machines without a GPU.
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--force-device-scale-factor=1'],
});
try {
    for (const width of [390, 800, 1400])
        for (const theme of /** @type {const} */ (['light', 'dark'])) {
            const what = `${width}-${theme}`;
            const whole = theme === (width < 1000 ? 'dark' : 'light');
            const { page, faults } = await pageOpen(browser, width, theme);
            const load = await page.evaluate(() => performance.getEntriesByType('navigation').map(entry => entry.duration)[0] ?? NaN);
            await page.waitForSelector('html[data-scripts="ready"]', { timeout: 10000 });
            await picture(page, `${what}-top`);
            await sidewaysCheck(page, what);
            assert.equal(await page.$$eval('details.part:not([open]) table', all => all.length), 0, 'a part is made before it is opened');
            await page.$$eval('details', all => all.forEach(one => (one.open = true)));
            await sidewaysCheck(page, `${what}, unfolded`);
            const tables = await tablesCheck(page);
            const plots = await plotsCheck(page, whole ? 20 : 3);
            await filtersCheck(page);
            const scenes = await viewCheck(page, whole);
            await contrastAssert(page, what);
            await sidewaysCheck(page, `${what}, at the end`);
            await picture(page, `${what}-whole`);
            // Names, roles and contrast are checked again with the rules of an independent package.
            assert.deepEqual(await axeFaults(page), [], what);
            assert.deepEqual(faults, [], what);
            console.log(`${what}: loaded in ${load.toFixed(0)} ms; ${tables} tables, ${plots} plots, ${scenes} scenes`);
            await page.close();
        }
    await linksCheck(browser);
    await printCheck(browser);
    const { page: plain, faults } = await pageOpen(browser, 390, 'light', false);
    const rows = await plain.$$eval('table.data', all => all.map(table => /** @type {HTMLTableElement} */ (table).tBodies[0]?.rows.length ?? 0));
    assert(rows.length > 3 && rows.every(count => count > 0), `without scripts tables have ${rows.join(', ')} rows`);
    assert.equal(await plain.$('.filters, button, canvas'), null, 'something stands there that needs scripts');
    await sidewaysCheck(plain, 'without scripts');
    assert.deepEqual(faults, [], 'without scripts');
    await picture(plain, 'plain-whole');
    console.log(`${(sizeOf(report) / 1e6).toFixed(1)} MB in all, index.html ${(statSync(join(report, 'index.html')).size / 1e6).toFixed(2)} MB`);
} finally {
    await browser.close();
}
