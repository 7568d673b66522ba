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

/** How well a text has all words: 0 as whole words of its title, 1 as whole words, 2 as parts of words; null: not. */
function matchOf(title: string, text: string, wanted: string[]): number | null {
    const whole = wanted.map(word => new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'u'));
    if (whole.every(word => word.test(title)))
        return 0;
    if (whole.every(word => word.test(text)))
        return 1;
    return wanted.every(word => text.includes(word)) ? 2 : null;
}

const HITS = 8;

/** Lists the parts that hold all words while one types, whole words first. */
function searchAdd(nav: Element): void {
    const parts = [...document.querySelectorAll<HTMLDetailsElement>('#tables details.part, #verdicts details, [id^="tables-"] details.part')];
    // Read at the first search. For a part that is not unfolded yet, the markup is left out.
    let texts: string[] = [];
    const words = element('input', { type: 'search', placeholder: 'Search tables and claims', 'aria-label': 'Search tables and claims' });
    const found = element('output', {});
    const hits = element('ul', { class: 'hits', hidden: '' });
    words.addEventListener('input', () => {
        const wanted = words.value.toLowerCase().split(/\s+/).filter(word => word !== '');
        if (texts.length === 0)
            texts = parts.map(part => part.textContent.replace(/<[^>]*>/g, ' ').toLowerCase());
        const matches = parts
            .map((part, at) => ({ part, title: part.querySelector('summary')?.textContent.trim() ?? '', text: texts[at] ?? '' }))
            .map(entry => ({ ...entry, match: matchOf(entry.title.toLowerCase(), entry.text, wanted) }))
            .filter(entry => entry.match !== null)
            .sort((a, b) => (a.match ?? 0) - (b.match ?? 0));
        found.textContent = wanted.length === 0 ? '' : `${matches.length} of ${parts.length} parts`;
        hits.hidden = wanted.length === 0 || matches.length === 0;
        hits.replaceChildren(
            ...matches.slice(0, HITS).map(({ part, title, text }) => {
                const link = element('button', { type: 'button' }, title);
                link.addEventListener('click', () => {
                    hits.hidden = true;
                    reveal(part);
                });
                const at = text.indexOf(wanted[0] ?? '', title.length);
                const around = at < 0 ? '' : text.slice(Math.max(0, at - 30), at + 50).replace(/\s+/g, ' ');
                return element('li', {}, link, element('small', {}, ` ${around}`));
            }),
        );
    });
    words.addEventListener('keydown', event => {
        if (event.key === 'Enter')
            hits.querySelector('button')?.click();
        if (event.key === 'Escape')
            hits.hidden = true;
    });
    if (parts.length > 1)
        nav.append(element('div', { class: 'search' }, words, found, hits));
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
