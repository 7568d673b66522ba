/** Contents that stay in sight, links to all parts, and a search over tables and claims. */
import { element } from './elements';

/** Opens all folds around an element, and goes there. */
function reveal(target: Element): void {
    for (let at: Element | null = target; at !== null; at = at.parentElement)
        if (at instanceof HTMLDetailsElement)
            at.open = true;
    target.scrollIntoView();
}

/** The part that the address names, which a browser does not open if it is folded. */
function revealAddressed(): void {
    const id = decodeURIComponent(location.hash.slice(1).split('?')[0] ?? '');
    const target = id === '' ? null : document.getElementById(id);
    document.querySelector('.addressed')?.classList.remove('addressed');
    if (target === null)
        return;
    target.classList.add('addressed');
    reveal(target);
}

/** A link to a part, which a reader copies. */
function linkAdd(part: Element, heading: Element): void {
    const link = element('a', { class: 'here', href: `#${part.id}`, 'aria-label': `Link to ${heading.textContent.trim()}` }, '#');
    heading.append(' ', link);
}

/** Shows the folded parts and the rows that hold all words. */
function searchAdd(nav: Element): void {
    const parts = [...document.querySelectorAll<HTMLDetailsElement>('#tables details.part, #verdicts details, [id^="tables-"] details.part')];
    // Read at the first search. For a part that is not unfolded yet, the markup is left out.
    let texts: string[] = [];
    const words = element('input', { type: 'search', placeholder: 'Search tables and claims', 'aria-label': 'Search tables and claims' });
    const found = element('output', {});
    const opened = new Set<HTMLDetailsElement>();
    words.addEventListener('input', () => {
        const wanted = words.value.toLowerCase().split(/\s+/).filter(word => word !== '');
        let count = 0;
        if (texts.length === 0)
            texts = parts.map(part => part.textContent.replace(/<[^>]*>/g, ' ').toLowerCase());
        for (const [at, part] of parts.entries()) {
            const holds = wanted.every(word => texts[at]?.includes(word) === true);
            part.hidden = !holds;
            count += holds ? 1 : 0;
            if (opened.delete(part))
                part.open = false;
        }
        found.textContent = wanted.length === 0 ? '' : `${count} of ${parts.length} parts`;
        const first = parts.find(part => !part.hidden);
        if (wanted.length === 0 || first === undefined)
            return;
        if (!first.open) {
            first.open = true;
            opened.add(first);
        }
    });
    words.addEventListener('keydown', event => {
        const first = parts.find(part => !part.hidden);
        if (event.key === 'Enter' && words.value !== '' && first !== undefined)
            reveal(first);
    });
    if (parts.length > 1)
        nav.append(element('div', { class: 'search' }, words, found));
}

export function contentsStart(): void {
    const sections = [...document.querySelectorAll<HTMLElement>('main section[id]')];
    if (sections.length < 2)
        return;
    const nav = document.querySelector('body > header nav') ?? element('nav', { 'aria-label': 'Contents' });
    const list = element('ul', {});
    for (const section of sections) {
        const heading = section.querySelector('h2');
        if (heading === null)
            continue;
        list.append(element('li', {}, element('a', { href: `#${section.id}` }, heading.textContent.trim())));
        linkAdd(section, heading);
    }
    nav.replaceChildren(list);
    nav.classList.add('contents');
    document.querySelector('main')?.before(nav);
    for (const part of document.querySelectorAll('details.part[id]')) {
        const summary = part.querySelector('summary');
        if (summary !== null)
            summary.after(element('p', { class: 'files' }, element('a', { href: `#${part.id}` }, 'Link to this part')));
    }
    searchAdd(nav);
    addEventListener('hashchange', revealAddressed);
    revealAddressed();
}
