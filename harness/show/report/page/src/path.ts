/** The way that a shape goes through a scene, for a camera that goes along. */
import type { Scene, Shape } from './scene';

type Triple = [number, number, number];

export interface Path {
    /** [frames][3]: the mean of all vertices */
    means: Float32Array;
    /** Of all vertices of all frames, from that mean. */
    minimum: Triple;
    maximum: Triple;
    /** Whether what goes along sees clearly less space than what stays. */
    travels: boolean;
}

export function pathOf(scene: Scene, shape: Shape): Path {
    const { vertices, frames, minimum, maximum } = scene.file;
    const path: Path = { means: new Float32Array(3 * frames), minimum: [0, 0, 0], maximum: [0, 0, 0], travels: false };
    for (let axis = 0; axis < 3; axis++) {
        const step = (maximum[axis]! - minimum[axis]!) / 65535;
        for (let frame = 0; frame < frames; frame++) {
            const at = (3 * frame + axis) * vertices;
            let sum = 0, least = 65535, greatest = 0;
            for (let i = at; i < at + vertices; i++) {
                const place = shape.positions[i]!;
                sum += place;
                least = Math.min(least, place);
                greatest = Math.max(greatest, place);
            }
            const mean = sum / vertices;
            path.means[3 * frame + axis] = minimum[axis]! + step * mean;
            path.minimum[axis] = Math.min(path.minimum[axis]!, step * (least - mean));
            path.maximum[axis] = Math.max(path.maximum[axis]!, step * (greatest - mean));
        }
    }
    const size = (low: Triple, high: Triple): number => Math.hypot(...high.map((value, axis) => value - low[axis]!));
    path.travels = size(path.minimum, path.maximum) < 0.75 * size(minimum, maximum);
    return path;
}
