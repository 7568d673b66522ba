/** The 3D view's controls: which scene and shapes, playing, colours, and the way to the worst frame. */
import { recordAddress, type SceneEntry } from './data';
import { element, numberText, whenNear } from './elements';
import { sceneLoad, type Scene, type SceneFile } from './scene';
import { errorColor, Stage, type Together } from './stage';
import { onTheme, themeColor } from './theme';

const SPEEDS = [0.1, 0.25, 0.5, 1, 2];
const WIDE = 900; // pixels, from which three shapes are shown at first, else two

function button(text: string, title: string, click: () => void): HTMLButtonElement {
    const made = element('button', { type: 'button', title }, text);
    made.addEventListener('click', click);
    return made;
}

/** A box to tick, with its label. */
function tick(text: string, checked: boolean, change: (checked: boolean) => void): { label: HTMLLabelElement; box: HTMLInputElement } {
    const box = element('input', { type: 'checkbox' });
    box.checked = box.defaultChecked = checked;
    box.addEventListener('change', () => change(box.checked));
    return { label: element('label', { class: 'tick' }, box, text), box };
}

/** The number that a frame has in its data set. */
const frameNumber = (file: SceneFile, frame: number): number => frame * (file.step ?? 1);

class View {
    readonly #stage: Stage;
    readonly #entries: SceneEntry[];
    readonly #status = element('p', { class: 'status', role: 'status' });
    readonly #windows = element('div', { class: 'windows' });
    readonly #shapes = element('fieldset', { class: 'shapes' });
    readonly #legend = element('div', { class: 'errors' });
    readonly #range = element('input', { type: 'range', min: '0', step: '1', value: '0', 'aria-label': 'frame' });
    readonly #time = element('output', { class: 'frame' });
    readonly #play = button('Play', 'Play or pause', () => this.#playing(!this.#isPlaying));
    readonly #speed = element('select', { 'aria-label': 'speed' });
    readonly #colored = tick('colours', true, () => this.#options());
    readonly #wired = tick('wireframe', false, () => this.#options());
    readonly #boned = tick('skeleton', false, () => this.#options());
    readonly #weights = element('select', { 'aria-label': 'weights of a joint' });
    readonly #way = element('select', { 'aria-label': 'how two shapes stand' });
    readonly #share = element('input', { type: 'range', min: '0', max: '1', step: '0.005', value: '0.5', 'aria-label': 'share of the first shape, or how much of the second covers it' });
    readonly #follow = tick('follow', true, checked => this.#stage.follow(checked));
    readonly #choice = element('select', { 'aria-label': 'scene' });
    #scene: Scene | null = null;
    #chosen: string[] = [];
    #isPlaying = false;
    #loads = 0;

    constructor(readonly box: HTMLElement, entries: SceneEntry[]) {
        const canvas = element('canvas', { tabindex: '0', role: 'img', 'aria-label': 'The shapes in 3D: drag or arrow keys turn them, all together' });
        this.#stage = new Stage(canvas);
        this.#entries = entries;
        this.#choice.append(...entries.map(entry => element('option', { value: entry.name }, `${entry.title} (${(entry.bytes / 1e6).toFixed(1)} MB)`)));
        this.#choice.addEventListener('change', () => void this.#load());
        this.#speed.append(...SPEEDS.map(speed => element('option', { value: String(speed) }, `${speed}×`)));
        this.#speed.value = '1';
        this.#range.addEventListener('input', () => {
            this.#playing(false);
            this.#seek(Number(this.#range.value));
        });
        this.#weights.addEventListener('change', () => this.#options());
        this.#way.append(...[['', 'side by side'], ['wipe', 'wipe'], ['overlay', 'overlay']].map(([value = '', text = '']) => element('option', { value }, text)));
        this.#way.addEventListener('change', () => this.#scene !== null && void this.#show(this.#scene));
        this.#share.addEventListener('input', () => this.#options());
        const reset = button('Reset view', 'Return to the first view', () => this.#stage.reset());
        const link = button('Link', 'Put what is shown, its frame and the camera into the address, to copy', () => this.#link());
        const asked = new URLSearchParams(/^#view\?(.*)$/.exec(location.hash)?.[1] ?? '');
        const wanted = asked.get('scene');
        if (wanted !== null && entries.some(entry => entry.name === wanted))
            this.#choice.value = wanted;
        box.append(
            element('div', { class: 'controls' }, element('label', {}, 'Scene ', this.#choice), this.#colored.label, this.#wired.label, this.#boned.label, this.#weights, this.#follow.label, this.#way, this.#share, reset, link),
            this.#shapes,
            element('div', { class: 'stage' }, this.#windows, canvas),
            element('div', { class: 'controls player' }, this.#play, this.#range, this.#time, element('label', {}, 'Speed ', this.#speed)),
            this.#legend,
            this.#status,
        );
        onTheme(() => this.#colors());
        this.#colors();
        void this.#load().then(() => this.#restore(asked));
    }

    /** What a link has and what it sets: boxes that are ticked otherwise than at first, and lists and the slider where they matter. */
    #link(): void {
        const parts = new URLSearchParams({ scene: this.#choice.value, frame: String(this.#stage.frame), camera: this.#stage.camera });
        for (const name of this.#chosen)
            parts.append('shape', name);
        for (const [name, { box }] of this.#boxes)
            if (box.checked !== box.defaultChecked)
                parts.set(name, String(box.checked));
        if (this.#weights.value !== '')
            parts.set('joint', this.#weights.value);
        if (this.#together !== null) {
            parts.set('way', this.#together.way);
            parts.set('share', String(this.#together.share));
        }
        history.replaceState(null, '', `#view?${parts.toString()}`);
    }

    get #boxes(): [string, { box: HTMLInputElement }][] {
        return [['colours', this.#colored], ['wireframe', this.#wired], ['skeleton', this.#boned], ['follow', this.#follow]];
    }

    /** Of a link; what there is none of changes nothing. */
    async #restore(asked: URLSearchParams): Promise<void> {
        const scene = this.#scene;
        if (scene === null)
            return;
        const shapes = scene.file.shapes.map(shape => shape.name).filter(name => asked.getAll('shape').includes(name));
        this.#chosen = shapes.length > 0 ? shapes : this.#chosen;
        for (const [name, { box }] of this.#boxes)
            box.checked = (asked.get(name) ?? String(box.checked)) === 'true';
        for (const [name, list] of [['joint', this.#weights], ['way', this.#way]] as const)
            if ([...list.options].some(option => option.value === asked.get(name)))
                list.value = asked.get(name) ?? '';
        this.#share.value = asked.get('share') ?? this.#share.value;
        this.#shapesList(scene);
        await this.#show(scene);
        if (asked.has('follow'))
            this.#stage.follow(this.#follow.box.checked);
        const frame = Number(asked.get('frame') ?? NaN);
        if (Number.isFinite(frame))
            this.#seek(frame);
        this.#stage.camera = asked.get('camera') ?? '';
    }

    #colors(): void {
        this.#stage.colors(themeColor('--shape'), themeColor('--wire'));
    }

    #options(): void {
        this.#stage.options(this.#colored.box.checked, this.#wired.box.checked);
        this.#share.hidden = this.#together === null;
        this.#stage.shows(this.#boned.box.checked, this.#weights.value === '' ? null : Number(this.#weights.value), this.#together);
        if (this.#scene !== null)
            this.#legendDraw(this.#scene);
    }

    get #together(): Together | null {
        const way = this.#way.value;
        return (way === 'wipe' || way === 'overlay') && this.#chosen.length > 1 ? { way, share: Number(this.#share.value) } : null;
    }

    async #load(): Promise<void> {
        const entry = this.#entries.find(found => found.name === this.#choice.value);
        if (entry === undefined)
            return;
        const load = ++this.#loads;
        this.#playing(false);
        this.#status.textContent = `Loading ${entry.title} …`;
        this.box.dataset.state = 'loading';
        try {
            const scene = await sceneLoad(entry.file);
            if (load !== this.#loads)
                return;
            this.#scene = scene;
            const names = scene.file.shapes.map(shape => shape.name);
            const kept = names.filter(name => this.#chosen.includes(name));
            this.#chosen = kept.length > 1 ? kept : names.slice(0, this.box.clientWidth >= WIDE ? 3 : 2);
            this.#shapesList(scene);
            this.#colored.label.hidden = scene.file.error === null;
            this.#boned.label.hidden = this.#weights.hidden = scene.rig === null;
            this.#weights.replaceChildren(element('option', { value: '' }, 'weights of …'), ...(scene.rig?.file.names ?? []).map((name, joint) => element('option', { value: String(joint) }, name === '' ? `joint ${joint}` : name)));
            this.#range.max = String(scene.file.frames - 1);
            await this.#show(scene);
            this.#follow.box.checked = true;
            this.#follow.label.hidden = !this.#stage.travels;
            this.#seek(this.#firstFrame(scene));
            this.#status.textContent = '';
            this.box.dataset.state = 'ready';
        } catch (error) {
            if (load !== this.#loads)
                return;
            this.#status.textContent = `The scene cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
            this.box.dataset.state = 'failed';
        }
    }

    /** Where the shapes that are shown differ most: the frame with the worst vertex of all. */
    #firstFrame(scene: Scene): number {
        const worst = scene.file.shapes.filter(shape => this.#chosen.includes(shape.name)).flatMap(shape => shape.worst ?? []);
        return worst.reduce((most, one) => (Math.abs(one.value) > Math.abs(most.value) ? one : most), { frame: 0, value: 0 }).frame;
    }

    #shapesList(scene: Scene): void {
        this.#shapes.replaceChildren(element('legend', {}, 'Shapes'));
        for (const { name, label } of scene.file.shapes) {
            const { label: line, box } = tick(label, this.#chosen.includes(name), checked => {
                if (!checked && this.#chosen.length === 1) {
                    box.checked = true; // one is always shown
                    return;
                }
                this.#chosen = scene.file.shapes.map(shape => shape.name).filter(other => (other === name ? checked : this.#chosen.includes(other)));
                void this.#show(scene);
            });
            this.#shapes.append(line);
        }
    }

    async #show(scene: Scene): Promise<void> {
        const all = this.#chosen;
        const together = this.#together !== null;
        const chosen = together ? all.slice(0, 2) : all;
        const shapes = await Promise.all(chosen.map(name => scene.shape(name)));
        if (all !== this.#chosen || scene !== this.#scene)
            return;
        const unit = scene.file.error?.unit.split(' ')[0] ?? ''; // the scale has all of it
        const shown = shapes.map(shape => {
            const { label, record, worst } = shape.file;
            // A difference below one step of the scale is only rounding.
            const marked = worst !== null && Math.abs(worst.value) > (scene.file.error?.maximum ?? 0) / 255;
            const marker = !marked ? null : element('span', { class: 'worst' }, element('span', {}, `${numberText(worst.value)} ${unit}`));
            const window = element('div', { class: 'window' }, ...(marker === null ? [] : [marker]));
            const caption = element('figcaption', {}, record === null ? element('b', {}, label) : element('a', { href: recordAddress(record) }, label));
            if (worst !== null) {
                const way = button(`${scene.file.error?.changes === true ? 'greatest change' : 'worst'} ${numberText(worst.value)} ${unit}, frame ${frameNumber(scene.file, worst.frame)}`, 'Go to the frame of this vertex', () => {
                    this.#playing(false);
                    this.#seek(worst.frame);
                });
                way.dataset.frame = String(worst.frame);
                caption.append(way);
            }
            return { shape, window, marker, cell: element('figure', {}, caption, window) };
        });
        const [first, second] = shown;
        if (together && first !== undefined && second !== undefined) {
            // both shapes are in the window of the first, with one caption
            first.cell.querySelector('figcaption')?.append(element('span', {}, '| ', ...[...(second.cell.querySelector('figcaption')?.childNodes ?? [])]));
            for (const one of [first, second]) {
                one.marker?.remove(); // it may stand on the other shape
                one.marker = null;
            }
            second.window = first.window;
        }
        const cells = together ? shown.slice(0, 1) : shown;
        this.#windows.replaceChildren(...cells.map(one => one.cell));
        this.#windows.style.setProperty('--shapes', String(cells.length));
        this.#stage.show(scene, shown);
        this.#options();
    }

    #legendDraw(scene: Scene): void {
        const { error } = scene.file;
        const weighed = this.#weights.value !== '';
        this.#legend.replaceChildren();
        if (!weighed && (error === null || !this.#colored.box.checked))
            return;
        const steps = Array.from({ length: 9 }, (_, i) => errorColor(Math.round((255 * i) / 8), !weighed && error?.changes === true));
        const bar = element('span', { class: 'scale', style: `background: linear-gradient(to right, ${steps.join(', ')})` });
        if (weighed || error === null) {
            this.#legend.append(element('span', {}, `weight of ${this.#weights.selectedOptions[0]?.text ?? ''}`), element('span', {}, '0'), bar, element('span', {}, '1'));
            return;
        }
        const beyond = scene.file.shapes.some(shape => Math.abs(shape.worst?.value ?? 0) > error.maximum) ? 'and more, in ' : '';
        this.#legend.append(element('span', {}, error.title), element('span', {}, error.changes === true ? `−${numberText(error.maximum)}` : '0'), bar, element('span', {}, `${numberText(error.maximum)} ${beyond}${error.unit}`));
    }

    #seek(frame: number): void {
        this.#stage.seek(frame);
        this.#range.value = String(this.#stage.frame);
        if (this.#scene !== null)
            this.#time.textContent = `frame ${frameNumber(this.#scene.file, this.#stage.frame)} of ${frameNumber(this.#scene.file, this.#scene.file.frames - 1)}`;
    }

    #playing(play: boolean): void {
        if (play === this.#isPlaying)
            return;
        this.#isPlaying = play;
        this.#play.textContent = play ? 'Pause' : 'Play';
        if (!play)
            return;
        let place = this.#stage.frame;
        let before: number | null = null;
        const step = (now: number): void => {
            if (!this.#isPlaying || this.#scene === null)
                return;
            const { fps, frames } = this.#scene.file;
            place += before === null ? 0 : ((now - before) / 1000) * (fps > 0 ? fps : 24) * Number(this.#speed.value);
            before = now;
            place %= frames;
            if (Math.floor(place) !== this.#stage.frame)
                this.#seek(Math.floor(place));
            requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
    }
}

/** Puts the view in its section once that is near; where there is no WebGL the pictures stay. */
export function viewStart(entries: SceneEntry[]): void {
    const section = document.querySelector<HTMLElement>('section#view');
    if (section === null || entries.length === 0)
        return;
    whenNear(section, () => {
        const box = element('div', { class: 'view' });
        const pictures = [...section.children].filter(child => !/^H[1-6]$/.test(child.tagName));
        section.append(box);
        try {
            new View(box, entries);
        } catch {
            box.remove();
            return;
        }
        for (const child of pictures)
            if (child instanceof HTMLElement)
                child.hidden = true;
    });
}
