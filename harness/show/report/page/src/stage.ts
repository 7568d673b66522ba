/** Draws the shapes of a scene side by side: one canvas over all of them, one camera, one light, a window for each. */
import {
    BufferAttribute, BufferGeometry, Color, DirectionalLight, DynamicDrawUsage, HemisphereLight, LineBasicMaterial, LineSegments, Mesh,
    MeshLambertMaterial, PerspectiveCamera, Points, PointsMaterial, Scene as Group, SRGBColorSpace, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { pathOf, type Path } from './path';
import type { Scene, Shape } from './scene';

/** The colours of `skinbench render`, by build.js: 256 times rrggbb, from no error to the greatest. */
declare const COLOR_MAP: string;

const FIELD_OF_VIEW = 30; // degrees
/** From what is seen to the eye: the front, a little from above and to the side. */
const FIRST_VIEW = new Vector3(0.55, 0.3, 1).normalize();
const FIRST_MARGIN = 1.08;
const FRAMED_POINTS = 100000;
const shift = new Vector3();
const KEY_TURN = Math.PI / 24;

/** Blue over light grey to orange, as color_map_change_rgb has it: what shrinks, and what grows. */
const CHANGE_STOPS = [[10, 75, 150], [120, 175, 220], [240, 240, 238], [245, 165, 80], [165, 65, 0]];

export function errorColor(level: number, changes: boolean): string {
    if (!changes)
        return `#${COLOR_MAP.slice(6 * level, 6 * level + 6)}`;
    const at = (4 * level) / 255;
    const from = Math.min(Math.floor(at), 3);
    const mixed = CHANGE_STOPS[from]!.map((value, i) => Math.round(value + (at - from) * (CHANGE_STOPS[from + 1]![i]! - value)));
    return `rgb(${mixed.join(', ')})`;
}

/** Linear red, green and blue of each level, of errors and of changes. */
const linearColors = [false, true].map(changes => {
    const colors = new Float32Array(3 * 256);
    for (let level = 0; level < 256; level++)
        new Color().setStyle(errorColor(level, changes), SRGBColorSpace).toArray(colors, 3 * level);
    return colors;
});

/** The edges of triangles, each once. */
function edgesOf(faces: Uint32Array, vertices: number): Uint32Array {
    const seen = new Set<number>();
    const edges: number[] = [];
    for (let i = 0; i < faces.length; i++) {
        const a = faces[i]!;
        const b = faces[i % 3 === 2 ? i - 2 : i + 1]!;
        const key = Math.min(a, b) * vertices + Math.max(a, b);
        if (!seen.has(key)) {
            seen.add(key);
            edges.push(a, b);
        }
    }
    return Uint32Array.from(edges);
}

/** Each vertex the mean of the normals of its triangles, by area. */
function normalsCompute(faces: Uint32Array, at: Float32Array, normals: Float32Array): void {
    normals.fill(0);
    for (let i = 0; i < faces.length; i += 3) {
        const a = 3 * faces[i]!;
        const b = 3 * faces[i + 1]!;
        const c = 3 * faces[i + 2]!;
        const ux = at[b]! - at[a]!, uy = at[b + 1]! - at[a + 1]!, uz = at[b + 2]! - at[a + 2]!;
        const vx = at[c]! - at[a]!, vy = at[c + 1]! - at[a + 1]!, vz = at[c + 2]! - at[a + 2]!;
        const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
        for (const vertex of [a, b, c]) {
            normals[vertex]! += x;
            normals[vertex + 1]! += y;
            normals[vertex + 2]! += z;
        }
    }
}

/** Two shapes in one window: the first up to a share of its width and the second beyond, or the second over the first, that much of it. */
export interface Together {
    way: 'wipe' | 'overlay';
    share: number;
}

interface Actor {
    shape: Shape;
    window: HTMLElement;
    marker: HTMLElement | null;
    stage: Group;
    geometry: BufferGeometry;
    mesh: Mesh;
    wires: LineSegments;
    bones: LineSegments;
}

export class Stage {
    readonly #renderer: WebGLRenderer;
    readonly #camera = new PerspectiveCamera(FIELD_OF_VIEW);
    readonly #controls: OrbitControls;
    readonly #surface = new MeshLambertMaterial({ vertexColors: true, side: 2, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    readonly #over = new MeshLambertMaterial({ vertexColors: true, side: 2, transparent: true });
    readonly #wire = new LineBasicMaterial({ transparent: true, opacity: 0.45 });
    readonly #bone = new LineBasicMaterial({ depthTest: false, transparent: true });
    readonly #joint = new PointsMaterial({ size: 7, sizeAttenuation: false, depthTest: false, transparent: true });
    readonly #plain = new Color();
    #scene: Scene | null = null;
    #edges: Uint32Array | null = null;
    #path: Path | null = null;
    #following = false;
    #actors: Actor[] = [];
    #frame = 0;
    #colored = true;
    #wired = false;
    #boned = false;
    #weighed: number | null = null;
    #together: Together | null = null;
    #asked = false;

    /** Throws where there is no WebGL. */
    constructor(readonly canvas: HTMLCanvasElement) {
        this.#renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
        this.#controls = new OrbitControls(this.#camera, canvas);
        // A finger that moves up or down scrolls the page, one that moves sideways turns the shapes; two fingers zoom.
        canvas.style.touchAction = 'pan-y';
        this.#controls.addEventListener('change', () => this.redraw());
        // The wheel zooms only after the view has been clicked, so that the page can be scrolled past the view.
        canvas.addEventListener('wheel', event => { if (document.activeElement !== canvas) event.stopImmediatePropagation(); }, { capture: true });
        canvas.addEventListener('pointerdown', () => canvas.focus({ preventScroll: true }));
        canvas.addEventListener('keydown', event => this.#key(event));
        new ResizeObserver(() => this.#resize()).observe(canvas);
    }

    get frame(): number {
        return this.#frame;
    }

    /** Whether the shapes travel, so that a camera that goes along shows more of them. */
    get travels(): boolean {
        return this.#path?.travels ?? false;
    }

    /** Shows shapes of a scene, each in its window with its marker of the worst vertex; a new scene is framed anew. */
    show(scene: Scene, shown: { shape: Shape; window: HTMLElement; marker: HTMLElement | null }[]): void {
        for (const actor of this.#actors)
            actor.geometry.dispose();
        const another = this.#scene !== scene;
        this.#scene = scene;
        if (another) {
            this.#edges = null;
            this.#path = shown[0] === undefined ? null : pathOf(scene, shown[0].shape);
            this.#following = this.travels;
        }
        this.#actors = shown.map(({ shape, window, marker }) => {
            const geometry = new BufferGeometry();
            geometry.setIndex(new BufferAttribute(scene.faces, 1));
            for (const name of ['position', 'normal', 'color'])
                geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * scene.file.vertices), 3).setUsage(DynamicDrawUsage));
            const stage = new Group();
            const mesh = new Mesh(geometry, this.#surface);
            const lines = new BufferGeometry();
            lines.setAttribute('position', geometry.getAttribute('position'));
            const wires = new LineSegments(lines, this.#wire);
            mesh.frustumCulled = wires.frustumCulled = false; // bounds would have to follow each frame
            const light = new DirectionalLight(0xffffff, 2);
            light.position.set(-0.4, 0.6, 1);
            const lamp = new Group();
            lamp.add(light, light.target);
            stage.add(mesh, wires, new HemisphereLight(0xffffff, 0x9a948c, 1.5), lamp);
            stage.userData.lamp = lamp;
            const bones = new LineSegments(this.#bones(scene), this.#bone);
            const joints = new Points(new BufferGeometry(), this.#joint);
            joints.geometry.setAttribute('position', bones.geometry.getAttribute('position'));
            bones.frustumCulled = joints.frustumCulled = false;
            bones.renderOrder = joints.renderOrder = 1;
            bones.add(joints);
            stage.add(bones);
            return { shape, window, marker, stage, geometry, mesh, wires, bones };
        });
        this.options(this.#colored, this.#wired);
        this.#resize();
        if (another)
            this.reset();
    }

    options(colored: boolean, wired: boolean): void {
        this.#colored = colored;
        this.#wired = wired;
        if (wired && this.#scene !== null) {
            this.#edges ??= edgesOf(this.#scene.faces, this.#scene.file.vertices);
            for (const actor of this.#actors)
                actor.wires.geometry.setIndex(new BufferAttribute(this.#edges, 1));
        }
        this.seek(this.#frame);
    }

    /** Lines from every joint to its parent; the places of a frame come with it. */
    #bones(scene: Scene): BufferGeometry {
        const lines = new BufferGeometry();
        const parents = scene.rig?.file.parents ?? [];
        lines.setAttribute('position', new BufferAttribute(new Float32Array(3 * parents.length), 3).setUsage(DynamicDrawUsage));
        lines.setIndex(parents.flatMap((parent, joint) => (parent < 0 ? [] : [parent, joint])));
        return lines;
    }

    /** Whether the skeleton is drawn, the joint whose weights are the colours, and how two shapes stand in one window. */
    shows(boned: boolean, weighed: number | null, together: Together | null): void {
        this.#boned = boned;
        this.#weighed = weighed;
        this.#together = together;
        this.seek(this.#frame);
    }

    follow(following: boolean): void {
        this.#following = following;
        this.seek(this.#frame);
        this.reset();
    }

    colors(plain: string, wire: string): void {
        this.#plain.setStyle(plain, SRGBColorSpace);
        this.#wire.color.setStyle(wire, SRGBColorSpace);
        this.#bone.color.copy(this.#wire.color);
        this.#joint.color.copy(this.#wire.color);
        this.seek(this.#frame);
    }

    seek(frame: number): void {
        if (this.#scene === null)
            return;
        this.#frame = Math.max(0, Math.min(frame, this.#scene.file.frames - 1));
        for (const actor of this.#actors)
            this.#pose(this.#scene, actor);
        this.redraw();
    }

    /** Where the eye and what it looks at are, as a link has it. */
    get camera(): string {
        return [...this.#camera.position.toArray(), ...this.#controls.target.toArray()].map(value => value.toPrecision(5)).join(',');
    }

    /** Takes a camera out of a link; what is no camera changes nothing. */
    set camera(text: string) {
        const [x = NaN, y = NaN, z = NaN, tx = NaN, ty = NaN, tz = NaN] = text.split(',').map(Number);
        if (![x, y, z, tx, ty, tz].every(Number.isFinite))
            return;
        this.#camera.position.set(x, y, z);
        this.#controls.target.set(tx, ty, tz);
        this.#controls.update();
        this.redraw();
    }

    /** Back to the first view. */
    reset(): void {
        const framed = this.#actors[0];
        if (this.#scene === null || framed === undefined)
            return;
        const { minimum, maximum } = this.#following && this.#path !== null ? this.#path : this.#scene.file;
        this.#controls.target.addVectors(new Vector3(...minimum), new Vector3(...maximum)).multiplyScalar(0.5);
        const distance = this.#distanceFor(this.#scene, framed.shape);
        this.#camera.position.copy(this.#controls.target).addScaledVector(FIRST_VIEW, distance);
        this.#camera.near = distance / 100;
        this.#camera.far = distance * 20;
        this.#controls.minDistance = distance / 20;
        this.#controls.maxDistance = distance * 6;
        this.#controls.update();
        this.redraw();
    }

    /** How far from its target the first view's camera sees a shape in all frames; of many vertices some are enough. */
    #distanceFor(scene: Scene, shape: Shape): number {
        const { vertices, frames, minimum, maximum } = scene.file;
        const right = new Vector3(0, 1, 0).cross(FIRST_VIEW).normalize();
        const up = new Vector3().crossVectors(FIRST_VIEW, right);
        const reach = Math.tan((this.#camera.fov * Math.PI) / 360) / FIRST_MARGIN;
        const stride = Math.max(1, Math.floor((vertices * frames) / FRAMED_POINTS));
        const place = new Vector3();
        let distance = 0;
        for (let frame = 0; frame < frames; frame++)
            for (let vertex = frame % stride; vertex < vertices; vertex += stride) {
                for (let axis = 0; axis < 3; axis++) {
                    const share = shape.positions[(3 * frame + axis) * vertices + vertex]! / 65535;
                    place.setComponent(axis, minimum[axis]! + share * (maximum[axis]! - minimum[axis]!));
                }
                place.add(this.#shift(frame)).sub(this.#controls.target);
                const aside = Math.max(Math.abs(place.dot(right)) / this.#camera.aspect, Math.abs(place.dot(up)));
                distance = Math.max(distance, aside / reach + place.dot(FIRST_VIEW));
            }
        return distance;
    }

    /** How far shapes are moved at a frame, so that a camera goes along. */
    #shift(frame: number): Vector3 {
        return this.#following && this.#path !== null ? shift.fromArray(this.#path.means, 3 * frame).negate() : shift.set(0, 0, 0);
    }

    redraw(): void {
        if (this.#asked)
            return;
        this.#asked = true;
        requestAnimationFrame(() => {
            this.#asked = false;
            this.#draw();
        });
    }

    #key(event: KeyboardEvent): void {
        const turns: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        const turn = turns[event.key];
        if (turn === undefined || event.ctrlKey || event.metaKey || event.altKey)
            return;
        event.preventDefault();
        const offset = this.#camera.position.clone().sub(this.#controls.target);
        const radius = offset.length();
        const polar = Math.acos(offset.y / radius) + turn[1] * KEY_TURN;
        const around = Math.atan2(offset.x, offset.z) + turn[0] * KEY_TURN;
        offset.setFromSphericalCoords(radius, Math.max(0.01, Math.min(polar, Math.PI - 0.01)), around);
        this.#camera.position.copy(this.#controls.target).add(offset);
        this.#controls.update();
    }

    #resize(): void {
        const { clientWidth, clientHeight } = this.canvas;
        if (clientWidth === 0 || clientHeight === 0)
            return;
        this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
        this.#renderer.setSize(clientWidth, clientHeight, false);
        const first = this.#actors[0]?.window.getBoundingClientRect();
        if (first !== undefined && first.height > 0) {
            this.#camera.aspect = first.width / first.height;
            // The angle of view applies to the shorter side, so that a narrow window shows the whole width.
            const half = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) / Math.min(this.#camera.aspect, 1);
            this.#camera.fov = (360 / Math.PI) * Math.atan(half);
            // The speed of turning depends on the height of the canvas, which contains all rows of windows.
            this.#controls.rotateSpeed = this.#controls.panSpeed = clientHeight / first.height;
            this.#camera.updateProjectionMatrix();
        }
        this.redraw();
    }

    #pose(scene: Scene, actor: Actor): void {
        const { vertices, minimum, maximum } = scene.file;
        const { positions, errors } = actor.shape;
        const at = actor.geometry.getAttribute('position').array as Float32Array;
        const color = actor.geometry.getAttribute('color').array as Float32Array;
        for (let axis = 0; axis < 3; axis++) {
            const from = (3 * this.#frame + axis) * vertices;
            const low = minimum[axis]!;
            const step = (maximum[axis]! - low) / 65535;
            for (let vertex = 0; vertex < vertices; vertex++)
                at[3 * vertex + axis] = low + step * positions[from + vertex]!;
        }
        normalsCompute(scene.faces, at, actor.geometry.getAttribute('normal').array as Float32Array);
        const levels = linearColors[Number(scene.file.error?.changes ?? false)]!;
        const { rig } = scene;
        if (this.#weighed !== null && rig !== null)
            for (let vertex = 0, slot = 0; vertex < vertices; vertex++) {
                let weight = 0;
                for (let k = 0; k < rig.file.influences; k++, slot++)
                    weight += rig.joints[slot] === this.#weighed ? rig.weights[slot]! : 0;
                const level = 3 * Math.min(weight, 255);
                for (let k = 0; k < 3; k++)
                    color[3 * vertex + k] = linearColors[0]![level + k]!;
            }
        else if (this.#colored && errors !== null)
            for (let vertex = 0; vertex < vertices; vertex++) {
                const level = 3 * errors[this.#frame * vertices + vertex]!;
                color[3 * vertex] = levels[level]!;
                color[3 * vertex + 1] = levels[level + 1]!;
                color[3 * vertex + 2] = levels[level + 2]!;
            }
        else
            for (let vertex = 0; vertex < vertices; vertex++)
                this.#plain.toArray(color, 3 * vertex);
        for (const name of ['position', 'normal', 'color'])
            actor.geometry.getAttribute(name).needsUpdate = true;
        actor.wires.visible = this.#wired;
        actor.bones.visible = this.#boned && rig !== null;
        if (rig !== null) {
            const joints = rig.file.names.length;
            const places = actor.bones.geometry.getAttribute('position');
            (places.array as Float32Array).set(rig.places.subarray(3 * joints * this.#frame, 3 * joints * (this.#frame + 1)));
            places.needsUpdate = true;
        }
        actor.mesh.position.copy(this.#shift(this.#frame));
        actor.wires.position.copy(actor.mesh.position);
        actor.bones.position.copy(actor.mesh.position);
    }

    #draw(): void {
        const whole = this.canvas.getBoundingClientRect();
        this.#renderer.setScissorTest(false);
        this.#renderer.clear();
        this.#renderer.setScissorTest(true);
        this.#camera.updateMatrixWorld();
        const wipe = this.#together?.way === 'wipe' ? this.#together.share : null;
        for (const [i, actor] of this.#actors.entries()) {
            // Two shapes share a window: with a wipe, each has a part of it; laid over each other, the second is see-through.
            const from = wipe === null || i === 0 ? 0 : wipe;
            const to = wipe === null || i > 0 ? 1 : wipe;
            const over = this.#together?.way === 'overlay' && i > 0;
            this.#over.opacity = this.#together?.share ?? 1;
            actor.mesh.material = over ? this.#over : this.#surface;
            this.#renderer.autoClearColor = !over;
            const window = actor.window.getBoundingClientRect();
            const left = window.left - whole.left;
            const bottom = whole.bottom - window.bottom;
            this.#renderer.setViewport(left, bottom, window.width, window.height);
            this.#renderer.setScissor(left + from * window.width, bottom, (to - from) * window.width, window.height);
            (actor.stage.userData.lamp as Group).quaternion.copy(this.#camera.quaternion);
            this.#renderer.render(actor.stage, this.#camera);
            this.#mark(actor, window.width, window.height);
        }
        this.canvas.dataset.frame = String(this.#frame);
    }

    /** Puts the marker on the worst vertex, where it is at this frame. */
    #mark(actor: Actor, width: number, height: number): void {
        const worst = actor.shape.file.worst;
        if (actor.marker === null || worst === null)
            return;
        const at = actor.geometry.getAttribute('position');
        const place = new Vector3(at.getX(worst.vertex), at.getY(worst.vertex), at.getZ(worst.vertex)).add(actor.mesh.position).project(this.#camera);
        const inside = Math.abs(place.x) < 1 && Math.abs(place.y) < 1 && place.z < 1;
        actor.marker.hidden = !inside;
        actor.marker.style.left = `${(0.5 + 0.5 * place.x) * width}px`;
        actor.marker.style.top = `${(0.5 - 0.5 * place.y) * height}px`;
        actor.marker.classList.toggle('now', worst.frame === this.#frame);
        actor.marker.classList.toggle('flip', place.x > 0.4);
    }
}
