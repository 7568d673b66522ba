/** Tables that sort by a click on a heading, and filter by the values of their columns of kind "filter". */
import { element } from './elements';

interface Column {
    heading: HTMLTableCellElement;
    index: number;
}

/** The last heading over each column, where headings span several. */
function columnsOf(table: HTMLTableElement): Column[] {
    const row = table.tHead?.rows[table.tHead.rows.length - 1];
    let index = 0;
    return [...(row?.cells ?? [])].map(heading => {
        const column = { heading, index };
        index += heading.colSpan;
        return column;
    });
}

function textOf(row: HTMLTableRowElement, index: number): string {
    return row.cells[index]?.textContent.trim() ?? '';
}

/** What a cell is sorted by; null: nothing, which stands last in either direction. */
function keyOf(row: HTMLTableRowElement, index: number): number | string | null {
    const value = row.cells[index]?.dataset.value;
    if (value !== undefined && value !== '' && Number.isFinite(Number(value)))
        return Number(value);
    const text = textOf(row, index);
    return /^[-–—]?$/.test(text) ? null : text;
}

function keysCompare(a: number | string, b: number | string): number {
    if (typeof a === 'number' && typeof b === 'number')
        return a - b;
    if (typeof a !== typeof b)
        return typeof a === 'number' ? -1 : 1;
    return String(a).localeCompare(String(b), 'en', { numeric: true });
}

function sortBy(body: HTMLTableSectionElement, index: number, direction: 1 | -1): void {
    const keyed = [...body.rows].map(row => ({ row, key: keyOf(row, index) }));
    keyed.sort((a, b) => {
        if (a.key === null || b.key === null)
            return Number(a.key === null) - Number(b.key === null);
        return direction * keysCompare(a.key, b.key);
    });
    body.append(...keyed.map(({ row }) => row));
}

function sortingAdd(body: HTMLTableSectionElement, columns: Column[]): void {
    const original = [...body.rows];
    for (const { heading, index } of columns) {
        const button = element('button', { type: 'button', class: 'sort' });
        button.append(...heading.childNodes);
        heading.append(button);
        // Clicks cycle through ascending order, descending order, and the original order of the page.
        heading.addEventListener('click', () => {
            const now = heading.getAttribute('aria-sort');
            for (const column of columns)
                column.heading.removeAttribute('aria-sort');
            if (now === 'descending') {
                body.append(...original);
            } else {
                heading.setAttribute('aria-sort', now === 'ascending' ? 'descending' : 'ascending');
                sortBy(body, index, now === 'ascending' ? -1 : 1);
            }
        });
    }
}

function filtersAdd(table: HTMLTableElement, body: HTMLTableSectionElement, columns: Column[]): void {
    const rows = [...body.rows];
    const selects: { select: HTMLSelectElement; index: number }[] = [];
    const bar = element('div', { class: 'filters' });
    for (const { heading, index } of columns) {
        const values = [...new Set(rows.map(row => textOf(row, index)))].filter(value => value !== '');
        if (heading.dataset.kind !== 'filter' || values.length < 2)
            continue;
        values.sort((a, b) => keysCompare(a, b));
        const select = element('select', {}, element('option', { value: '' }, 'all'));
        select.append(...values.map(value => element('option', { value }, value)));
        bar.append(element('label', {}, heading.textContent.trim(), ' ', select));
        selects.push({ select, index });
    }
    if (selects.length === 0)
        return;
    const shown = element('output', {}, `${rows.length} rows`);
    bar.append(shown);
    bar.addEventListener('change', () => {
        let count = 0;
        for (const row of rows) {
            row.hidden = !selects.every(({ select, index }) => select.value === '' || textOf(row, index) === select.value);
            count += row.hidden ? 0 : 1;
        }
        shown.textContent = count === rows.length ? `${count} rows` : `${count} of ${rows.length} rows`;
    });
    (table.closest('.table') ?? table).before(bar);
}

/** Names the cells of a table that is too wide for a phone, where they stand below each other. */
function labelsAdd(table: HTMLTableElement, body: HTMLTableSectionElement, columns: Column[]): void {
    const last = columns.at(-1);
    if (last === undefined || last.index + last.heading.colSpan < 5)
        return;
    table.classList.add('stacked');
    for (const { heading, index } of columns)
        for (const row of body.rows)
            for (let at = index; at < index + heading.colSpan; at++)
                row.cells[at]?.setAttribute('data-label', heading.textContent.trim());
}

export function tablesStart(within: ParentNode): void {
    for (const table of within.querySelectorAll<HTMLTableElement>('table.data')) {
        const body = table.tBodies[0];
        if (body === undefined)
            continue;
        const columns = columnsOf(table);
        for (const { heading } of columns)
            if (heading.title === '')
                heading.title = heading.textContent.trim();
        labelsAdd(table, body, columns);
        if (body.rows.length < 2)
            continue;
        filtersAdd(table, body, columns);
        sortingAdd(body, columns);
    }
}
