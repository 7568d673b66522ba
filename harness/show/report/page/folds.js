// Creates the content of a folded part when it is opened. Until then it is the text of a <noscript>, which only browsers without
// scripts parse. A part that has been created sends the event "unfold".
'use strict';

/** @param {Element} fold */
function unfold(fold) {
    const text = fold.querySelector(':scope > noscript');
    if (text === null)
        return;
    const made = document.createElement('template');
    made.innerHTML = text.textContent;
    text.replaceWith(made.content);
    fold.dispatchEvent(new Event('unfold', { bubbles: true }));
}

// The part that the address names may be inside a folded part.
function unfoldAddressed() {
    const id = decodeURIComponent(location.hash.slice(1).split('?')[0] ?? '');
    if (id === '' || document.getElementById(id) !== null)
        return;
    for (const text of document.querySelectorAll('details > noscript')) {
        const fold = text.parentElement;
        if (!(fold instanceof HTMLDetailsElement) || !text.textContent.includes(` id="${id}"`))
            continue;
        unfold(fold);
        fold.open = true;
        document.getElementById(id)?.scrollIntoView();
    }
}

// All parts are open on paper, and those that were folded are folded again afterwards. If the page holds more text than a browser
// can lay out in a few seconds, only parts that have been opened before are printed, and the page says so.
const PRINTED_LETTERS = 6e6;
/** @type {HTMLDetailsElement[]} */
let opened = [];
addEventListener('beforeprint', () => {
    const page = document.documentElement.classList;
    let letters = 0;
    for (const text of document.querySelectorAll('details > noscript'))
        letters += text.textContent.length;
    const is_whole = letters <= PRINTED_LETTERS;
    page.add('printing');
    page.toggle('printed-in-part', !is_whole);
    // A part that is opened may hold further parts.
    for (let folds; (folds = [...document.querySelectorAll('details:not([open])')].filter(fold => is_whole || fold.querySelector(':scope > noscript') === null)).length > 0;)
        for (const fold of folds) {
            /** @type {HTMLDetailsElement} */ (fold).open = true;
            opened.push(/** @type {HTMLDetailsElement} */ (fold));
            unfold(fold);
        }
    page.remove('printing');
    for (const image of document.images)
        image.loading = 'eager';
});
addEventListener('afterprint', () => {
    for (const fold of opened)
        fold.open = false;
    opened = [];
});

document.addEventListener('toggle', event => unfold(/** @type {Element} */ (event.target)), true);
addEventListener('hashchange', unfoldAddressed);
unfoldAddressed();
