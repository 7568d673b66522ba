/** Light, dark or what the system says: page.css has all colours as light-dark(), so that one attribute decides. */
import { element } from './elements';

const CHOICES = ['auto', 'light', 'dark'] as const;
type Choice = (typeof CHOICES)[number];
const KEY = 'skinbench-theme';

const listeners: (() => void)[] = [];

/** Calls whenever colours have changed. */
export function onTheme(listener: () => void): void {
    listeners.push(listener);
}

/** A custom property of page.css as a colour that canvases and charts understand. */
export function themeColor(property: string): string {
    const probe = element('span', { style: `color: var(${property})`, hidden: '' });
    document.body.append(probe);
    const color = getComputedStyle(probe).color;
    probe.remove();
    return color;
}

// A page opened as a file may have no access to storage. The choice then lasts until the page is closed.
function stored(): Choice {
    try {
        return CHOICES.find(choice => choice === localStorage.getItem(KEY)) ?? 'auto';
    } catch {
        return 'auto';
    }
}

function store(choice: Choice): void {
    try {
        localStorage.setItem(KEY, choice);
    } catch {
        // The page may have no access to storage.
    }
}

export function themeStart(): void {
    let choice = stored();
    const button = element('button', { type: 'button', id: 'theme', title: 'Colours: as set in the system, light or dark' });
    function apply(): void {
        if (choice === 'auto')
            delete document.documentElement.dataset.theme;
        else
            document.documentElement.dataset.theme = choice;
        button.textContent = `Theme: ${choice}`;
        for (const listener of listeners)
            listener();
    }
    button.addEventListener('click', () => {
        choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length] ?? 'auto';
        store(choice);
        apply();
    });
    (document.querySelector('body > header') ?? document.body).prepend(button);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
    apply();
}
