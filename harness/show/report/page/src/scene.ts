/** Scenes: the meshes of several methods over one animation, as harness/report writes them to scenes/NAME.js. */
import { element } from './elements';

interface ShapeFile {
    name: string;
    label: string;
    record: string | null;
    positions: string;
    errors: string | null;
    worst: { frame: number; vertex: number; value: number } | null;
}
interface RigFile {
    names: string[];
    /** -1: a root */
    parents: number[];
    influences: number;
    places: string;
    joints: string;
    weights: string;
}
export interface SceneFile {
    schema: number;
    name: string;
    title: string;
    kind: 'skinning' | 'decomposition';
    vertices: number;
    triangles: number;
    frames: number;
    /** every so many-th frame of the data set is here, from its first on */
    step?: number;
    fps: number;
    minimum: [number, number, number];
    maximum: [number, number, number];
    faces: string;
    error: { title: string; unit: string; maximum: number; changes?: boolean } | null;
    rig?: RigFile;
    shapes: ShapeFile[];
}
export interface Rig {
    file: RigFile;
    /** [frames][joints][3] */
    places: Float32Array;
    /** [vertices][influences] */
    joints: Uint16Array;
    /** [vertices][influences], 255 is 1 */
    weights: Uint8Array;
}
export interface Shape {
    file: ShapeFile;
    /** [frames][3][vertices], each axis from minimum (0) to maximum (65535) */
    positions: Uint16Array;
    /** [frames][vertices], 255 is the maximum of the common scale; null: not compared */
    errors: Uint8Array | null;
}
export interface Scene {
    file: SceneFile;
    /** [triangles][3] */
    faces: Uint32Array;
    /** whose joints moved the skins; null: the scene is of fits */
    rig: Rig | null;
    shape: (name: string) => Promise<Shape>;
}

declare global {
    interface Window {
        skinbenchScene?: (file: SceneFile) => void;
    }
}

/** Inflates base64 of gzip, of which so many bytes are expected. */
async function bytesOf(text: string, expected: number, what: string): Promise<ArrayBuffer> {
    const packed = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    const bytes = await new Response(stream).arrayBuffer();
    if (bytes.byteLength !== expected)
        throw new Error(`${what}: ${bytes.byteLength} bytes, expected ${expected}`);
    return bytes;
}

async function shapeDecode(scene: SceneFile, file: ShapeFile): Promise<Shape> {
    const perFrame = 3 * scene.vertices;
    const what = `${scene.name}, ${file.label}`;
    const positions = new Uint16Array(await bytesOf(file.positions, 2 * perFrame * scene.frames, what));
    for (let i = perFrame; i < positions.length; i++)
        positions[i] = positions[i]! + positions[i - perFrame]!; // modulo 65536, by the array's type
    const errors = file.errors === null ? null : new Uint8Array(await bytesOf(file.errors, scene.vertices * scene.frames, what));
    return { file, positions, errors };
}

async function rigDecode(scene: SceneFile, file: RigFile): Promise<Rig> {
    const slots = scene.vertices * file.influences;
    const what = `${scene.name}, the rig`;
    const joints = new Uint16Array(await bytesOf(file.joints, 2 * slots, what));
    if (joints.some(joint => joint >= file.names.length))
        throw new Error(`${what}: a weight names a joint that does not exist`);
    return {
        file,
        places: new Float32Array(await bytesOf(file.places, 12 * scene.frames * file.names.length, what)),
        joints,
        weights: new Uint8Array(await bytesOf(file.weights, slots, what)),
    };
}

/** Adds the script of a scene: a page that is opened as a file may not fetch, but may load scripts. */
function fileLoad(address: string): Promise<SceneFile> {
    return new Promise((resolve, reject) => {
        const script = element('script', { src: address });
        window.skinbenchScene = resolve;
        script.addEventListener('load', () => {
            script.remove();
            reject(new Error(`${address} holds no scene`)); // nothing happens where it has been resolved
        });
        script.addEventListener('error', () => reject(new Error(`${address} cannot be loaded`)));
        document.head.append(script);
    });
}

export async function sceneLoad(address: string): Promise<Scene> {
    const file = await fileLoad(address);
    if (file.schema !== 1)
        throw new Error(`${address} is of schema ${file.schema}, this page reads 1`);
    const faces = new Uint32Array(await bytesOf(file.faces, 12 * file.triangles, `${file.name}, faces`));
    if (faces.some(vertex => vertex >= file.vertices))
        throw new Error(`${file.name}: a triangle names a vertex that does not exist`);
    const decoded = new Map<string, Promise<Shape>>();
    return {
        file,
        faces,
        rig: file.rig === undefined ? null : await rigDecode(file, file.rig),
        shape: name => {
            const found = file.shapes.find(shape => shape.name === name);
            if (found === undefined)
                return Promise.reject(new Error(`${file.name} has no shape ${name}`));
            const known = decoded.get(name) ?? shapeDecode(file, found);
            decoded.set(name, known);
            return known;
        },
    };
}
