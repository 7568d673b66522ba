/** What data.js holds (window.skinbench), written by harness/report; read defensively, as a folder may mix versions. */
export interface Point {
    x: number;
    y: number;
    low?: number | null;
    high?: number | null;
    label?: string | null;
    record?: string | null;
}
export interface Series {
    name: string;
    published?: boolean;
    points: Point[];
}
export interface Axis {
    title: string;
    log?: boolean;
    /** Categories: the other values of this axis are indices into them. */
    names?: string[];
}
export interface Plot {
    title: string;
    kind: 'points' | 'lines' | 'box';
    x: Axis;
    y: Axis;
    series: Series[];
}
export interface SceneEntry {
    name: string;
    title: string;
    file: string;
    bytes: number;
    pictures: string[];
}
export interface PageData {
    schema: number;
    plots?: Record<string, Plot>;
    scenes?: SceneEntry[];
    /** Terms that are explained, methods first: title and sentence. */
    terms?: Record<string, [string, string]>;
}

export const SCHEMA = 1;

declare global {
    interface Window {
        skinbench?: PageData;
    }
}

/** The data of this page; null where there is none or it is of another schema. */
export function pageData(): PageData | null {
    const data = window.skinbench;
    return data?.schema === SCHEMA ? data : null;
}

/** Where a record is printed whole, with the command that repeats it. */
export function recordAddress(record: string): string {
    return `records.html#r-${record}`;
}
