// Makes what is folded when it is opened: until then it is the text of a <noscript>, which is read as a page only by browsers
// without scripts. Made parts say so by the event "unfold".
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

// The part that the address names may lie in one.
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

document.addEventListener('toggle', event => unfold(/** @type {Element} */ (event.target)), true);
addEventListener('hashchange', unfoldAddressed);
unfoldAddressed();
