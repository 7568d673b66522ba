/**
 * Runs inside the page: every element with text that is seen and whose contrast with what lies behind it is below
 * the bound, by WCAG's formula over computed styles, as "ratio element: text".
 * @param {number} bound
 * @returns {{checked: number, faults: string[]}}
 */
export function contrastCheck(bound) {
    const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    /** @type {Map<string, number[]>} */
    const known = new Map();
    /** @param {string} color @returns {number[]} red, green and blue to 255, and the share that is opaque */
    const read = color => {
        const found = known.get(color);
        if (found !== undefined || context === null)
            return found ?? [];
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = color;
        context.fillRect(0, 0, 1, 1);
        const [r = 0, g = 0, b = 0, a = 0] = context.getImageData(0, 0, 1, 1).data;
        known.set(color, [r, g, b, a / 255]);
        return [r, g, b, a / 255];
    };
    /** @param {number[]} top @param {number[]} below */
    const over = (top, below) => {
        const share = top[3] ?? 1;
        return [0, 1, 2].map(i => share * (top[i] ?? 0) + (1 - share) * (below[i] ?? 0)).concat(1);
    };
    /** @param {number[]} color */
    const luminance = color => {
        const [r = 0, g = 0, b = 0] = color.map(c => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    /** @param {Element | null} element @returns {number[]} */
    const behind = element => {
        if (element === null)
            return read(matchMedia('(prefers-color-scheme: dark)').matches ? '#000' : '#fff');
        const color = read(getComputedStyle(element).backgroundColor);
        return color[3] === 1 ? color : over(color, behind(element.parentElement));
    };
    /** @type {string[]} */
    const faults = [];
    let checked = 0;
    for (const element of document.body.querySelectorAll('*')) {
        const own = [...element.childNodes].filter(node => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '');
        const text = element instanceof HTMLSelectElement ? element.value : own.map(node => node.textContent?.trim()).join(' ');
        if (text === '' || element.tagName === 'OPTION' || element.tagName === 'SCRIPT' || !element.checkVisibility())
            continue;
        const style = getComputedStyle(element);
        const background = behind(element);
        let color = read(element instanceof SVGElement ? style.fill : style.color);
        for (let at = /** @type {Element | null} */ (element); at !== null; at = at.parentElement)
            color = color.slice(0, 3).concat((color[3] ?? 1) * Number(getComputedStyle(at).opacity));
        const [dark = 0, light = 0] = [luminance(over(color, background)), luminance(background)].sort((a, b) => a - b);
        const ratio = (light + 0.05) / (dark + 0.05);
        checked++;
        if (ratio < bound)
            faults.push(`${ratio.toFixed(2)} ${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}: ${text.slice(0, 60)}`);
    }
    return { checked, faults };
}
