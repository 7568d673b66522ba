/** Shows where a number comes from as a card beside it: the number in full, and its record as in records.html. */
import { recordAddress } from './data';
import { element } from './elements';

declare global {
    interface Window {
        /** Set by page/cards.js: what records.html says of each record, by its name. */
        skinbenchCards?: Record<string, string>;
    }
}

const START = recordAddress('');
const card = element('dialog', { class: 'card', 'aria-labelledby': 'card-number' });

/** Loads the cards, which may be many megabytes, when the first is asked for. */
function cardsLoad(): Promise<void> {
    return new Promise((resolve, reject) => {
        if (window.skinbenchCards !== undefined) {
            resolve();
            return;
        }
        const script = element('script', { src: 'page/cards.js' });
        script.addEventListener('load', () => { resolve(); });
        script.addEventListener('error', reject);
        document.head.append(script);
    });
}

/** Shows the card of a record below the box of what was clicked. Follows the link to records.html if there is no card. */
export async function cardShow(record: string, number: string, box: DOMRect): Promise<void> {
    await cardsLoad().catch(() => undefined);
    const text = window.skinbenchCards?.[record];
    if (text === undefined) {
        location.assign(recordAddress(record));
        return;
    }
    const body = document.createElement('template');
    body.innerHTML = text;
    const close = element('button', { type: 'button', 'aria-label': 'Close' }, '×');
    close.addEventListener('click', () => { card.close(); });
    card.replaceChildren(close, element('p', { id: 'card-number' }, number), body.content,
        element('p', {}, element('a', { href: recordAddress(record) }, 'All fields of the record')));
    card.showModal();
    const top = Math.min(box.bottom + 4, innerHeight - card.offsetHeight - 8);
    const left = Math.min(box.left, document.documentElement.clientWidth - card.offsetWidth - 8);
    card.style.top = `${Math.max(8, top)}px`;
    card.style.left = `${Math.max(8, left)}px`;
}

/** "row, column: text (exact value)" of a table's cell; the text of any other link. */
function numberOf(link: HTMLAnchorElement): string {
    const cell = link.closest('td');
    const table = cell?.closest('table');
    const text = link.textContent.trim().replace(/^- → /, '');
    if (cell === null || !table?.tHead)
        return text;
    const heading = table.tHead.rows[table.tHead.rows.length - 1]?.cells[cell.cellIndex]?.textContent.trim() ?? '';
    const row = cell.parentElement?.firstElementChild?.textContent.trim() ?? '';
    const exact = cell.dataset.value !== undefined && cell.dataset.value !== text ? `, exactly ${cell.dataset.value}` : '';
    return `${row}, ${heading}: ${text}${exact}`;
}

export function cardsStart(): void {
    document.body.append(card);
    card.addEventListener('click', event => {
        if (event.target === card)
            card.close();
    });
    document.addEventListener('click', event => {
        const link = (event.target as Element).closest<HTMLAnchorElement>(`a[href^="${START}"]`);
        if (link === null || card.contains(link) || event.ctrlKey || event.metaKey || event.shiftKey)
            return;
        event.preventDefault();
        const record = link.getAttribute('href')?.slice(START.length) ?? '';
        void cardShow(record, numberOf(link), link.getBoundingClientRect());
    });
}
