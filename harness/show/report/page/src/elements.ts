/** Makes an element with attributes and children; texts are never parsed as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Record<string, string> = {},
    ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
        made.setAttribute(name, value);
    made.append(...children);
    return made;
}

/** Calls once, when the element first comes near what is seen; one in a closed <details> waits until that opens. */
export function whenNear(target: Element, call: () => void): void {
    const observer = new IntersectionObserver(
        entries => {
            if (!entries.some(entry => entry.isIntersecting))
                return;
            observer.disconnect();
            call();
        },
        { rootMargin: '300px' },
    );
    observer.observe(target);
}

/** A number as tables print it: three or four significant digits. */
export function numberText(value: number): string {
    const size = Math.abs(value);
    if (size !== 0 && (size >= 1e6 || size < 1e-4))
        return value.toExponential(2);
    return String(Number(value.toPrecision(size >= 1 ? 4 : 3)));
}
