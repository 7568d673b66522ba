/** Explains the names of methods and measures where they are hovered, focused or tapped. */
import { pageData } from './data';
import { element } from './elements';

/** Title and sentence of each term that is explained. */
export const terms = new Map(Object.entries(pageData()?.terms ?? {}));
const tip = element('div', { id: 'term-tip', role: 'tooltip', hidden: '' });

/** The place of a method in the list of terms, by which figures choose its colour and mark; -1 for other names. */
export function termPlace(name: string): number {
    const method = /^[a-z][a-z0-9-]*/.exec(name)?.[0] ?? '';
    return terms.has(method) ? [...terms.keys()].indexOf(method) : -1;
}

function show(target: HTMLElement, term: string): void {
    const [title, text] = terms.get(term) ?? ['', ''];
    tip.replaceChildren(element('b', {}, title), ` ${text}`);
    tip.hidden = false;
    const box = target.getBoundingClientRect();
    const left = Math.max(8, Math.min(box.left, document.documentElement.clientWidth - tip.offsetWidth - 8));
    const below = box.bottom + tip.offsetHeight + 8 < innerHeight;
    tip.style.left = `${left + scrollX}px`;
    tip.style.top = `${(below ? box.bottom + 4 : box.top - tip.offsetHeight - 4) + scrollY}px`;
    target.setAttribute('aria-describedby', tip.id);
}

function hide(target: HTMLElement): void {
    tip.hidden = true;
    target.removeAttribute('aria-describedby');
}

function explain(target: HTMLElement, term: string): void {
    for (const event of ['pointerenter', 'focus', 'click'])
        target.addEventListener(event, () => { show(target, term); });
    for (const event of ['pointerleave', 'blur'])
        target.addEventListener(event, () => { hide(target); });
    target.addEventListener('keydown', event => {
        if (event.key === 'Escape')
            hide(target);
    });
}

/** The term at the start of a text: all of it, or the name of a method before a comma. */
function termOf(text: string): string | null {
    const whole = text.trim();
    if (terms.has(whole))
        return whole;
    const first = whole.split(/[ ,]/)[0] ?? '';
    return termPlace(first) >= 0 && (/[,=]/.test(whole) || whole === first) ? first : null;
}

export function termsStart(within: ParentNode): void {
    if (!document.body.contains(tip))
        document.body.append(tip);
    for (const heading of within.querySelectorAll<HTMLElement>('table.data thead th')) {
        const term = termOf(heading.textContent);
        if (term === null)
            continue;
        heading.removeAttribute('title');
        explain(heading.querySelector<HTMLElement>('button') ?? heading, term);
    }
    for (const cell of within.querySelectorAll<HTMLElement>('table.data td:not([data-value]), .answer b')) {
        const term = cell.children.length === 0 ? termOf(cell.textContent) : null;
        if (term === null)
            continue;
        const name = element('button', { type: 'button', class: 'term' }, cell.textContent);
        cell.replaceChildren(name);
        explain(name, term);
    }
}
