/** What a chart shows of a plot: an axis that one method of another size does not stretch, and rows that fit a screen. */
import type { Plot, Point } from './data';
import { numberText } from './elements';
import { termPlace } from './terms';

/** Values further than these factors above or below all others are left out of a logarithmic axis. */
const FAR = 10;
const FAR_BELOW = 30;
const FAR_SHARE = 0.12;
/** Points whose coordinates differ by less than this fraction coincide. */
const COINCIDE = 0.02;
/** Rows of a chart that fit a screen. */
export const ROWS = 20;

/** The range of the values that are near each other; a few that are far off are outside. */
function nearRange(values: number[]): [number, number] {
    const sorted = values.filter(value => value > 0 && Number.isFinite(value)).sort((a, b) => a - b);
    const few = Math.max(1, Math.floor(FAR_SHARE * sorted.length));
    let low = 0, high = Infinity;
    for (let at = 1; at <= few && at + few < sorted.length; at++) {
        if (sorted[at]! > FAR_BELOW * sorted[at - 1]!)
            low = sorted[at]!;
        if (sorted.at(-at)! > FAR * sorted.at(-at - 1)!)
            high = sorted.at(-at - 1)!;
    }
    return [low, high];
}

/** The plot without points that are far off, and what is left out in words. */
export function withoutFar(plot: Plot): { plot: Plot; far: string } {
    const points = plot.series.flatMap(series => series.points);
    const all: [number, number] = [-Infinity, Infinity];
    const x = plot.x.log === true && plot.x.names === undefined && plot.kind !== 'lines' ? nearRange(points.map(point => point.x)) : all;
    const y = plot.y.log === true && plot.kind !== 'lines' ? nearRange(points.map(point => point.y)) : all;
    const inside = (value: number, [low, high]: [number, number]): boolean => value >= low && value <= high;
    const isNear = (point: Point): boolean => inside(point.x, x) && inside(point.y, y);
    const far = plot.series.flatMap(series =>
        series.points
            .filter(point => !isNear(point))
            .map(point => `${plot.x.names?.[point.x] ?? series.name} (${numberText(inside(point.y, y) ? point.x : point.y)})`),
    );
    // Only if one method is of another size class: a plot of few series, or with far points in most of them, is drawn whole.
    const groups = plot.x.names?.length ?? plot.series.length;
    if (far.length === 0 || groups < 4 || (plot.x.names === undefined && plot.series.filter(one => !one.points.every(isNear)).length > 1))
        return { plot, far: '' };
    const series = plot.series.map(one => ({ ...one, points: one.points.filter(isNear) })).filter(one => one.points.length > 0);
    return { plot: namesKept({ ...plot, series }, plot.x.names ?? []), far: `Too far off to draw: ${[...new Set(far)].join(', ')}.` };
}

/** The plot in which series whose points all coincide are one series with the names of all. */
export function joined(plot: Plot): Plot {
    if (plot.kind !== 'points' || plot.x.names !== undefined)
        return plot;
    const near = (a: number, b: number): boolean => Math.abs(a - b) <= COINCIDE * Math.max(Math.abs(a), Math.abs(b));
    const series: Plot['series'] = [];
    for (const one of plot.series) {
        const same = series.find(
            other =>
                other.published === one.published && other.points.length === one.points.length &&
                other.points.every((point, at) => near(point.x, one.points[at]!.x) && near(point.y, one.points[at]!.y)),
        );
        if (same === undefined)
            series.push({ ...one });
        else
            same.name += ` = ${one.name}`;
    }
    return { ...plot, series };
}

/** The plot with those of its names that have points and are among `names`, in that order. */
function namesKept(plot: Plot, names: string[]): Plot {
    const old = plot.x.names;
    if (old === undefined)
        return plot;
    const used = new Set(plot.series.flatMap(series => series.points.map(point => old[point.x])));
    const kept = names.filter(name => used.has(name));
    const series = plot.series.map(one => ({
        ...one,
        points: one.points.flatMap(point => {
            const at = kept.indexOf(old[point.x] ?? '');
            return at < 0 ? [] : [{ ...point, x: at }];
        }),
    }));
    return { ...plot, x: { ...plot.x, names: kept }, series };
}

/** The plot with the rows whose smallest values are smallest, as many as fit a screen. */
export function shortened(plot: Plot): Plot {
    const names = plot.x.names ?? [];
    if (names.length <= ROWS)
        return plot;
    const least = names.map((_, at) => Math.min(...plot.series.flatMap(series => series.points.filter(point => point.x === at).map(point => point.y))));
    const order = names.map((_, at) => at).sort((a, b) => (least[a] ?? 0) - (least[b] ?? 0)).slice(0, ROWS).sort((a, b) => a - b);
    return namesKept(plot, order.map(at => names[at] ?? ''));
}

export interface Style {
    color: number;
    symbol: number;
}

/** Colour and mark of each series: those of its method in every figure, and free ones for other series. */
export function stylesOf(plot: Plot, colors: number, symbols: number): Style[] {
    const styles: (Style | undefined)[] = plot.series.map(() => undefined);
    const taken = new Set<number>();
    for (const [at, series] of plot.series.entries()) {
        const place = termPlace(series.name);
        if (place < 0 || series.published === true || taken.has(place % colors))
            continue;
        taken.add(place % colors);
        styles[at] = { color: place % colors, symbol: (place + Math.floor(place / colors)) % symbols };
    }
    let free = 0;
    return styles.map((style, at) => {
        if (style !== undefined)
            return style;
        while (taken.has(free % colors) && free < colors)
            free++;
        return { color: free++ % colors, symbol: at % symbols };
    });
}
