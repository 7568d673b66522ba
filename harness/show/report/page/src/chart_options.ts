/** A plot of data.js as ECharts draws it. */
import type { EChartsCoreOption } from 'echarts/core';
import { stylesOf, type Style } from './chart_parts';
import { recordAddress, type Axis, type Plot, type Point, type Series } from './data';
import { element, numberText } from './elements';
import { terms } from './terms';
import { themeColor } from './theme';

const SERIES_COLORS = 8;
const SYMBOLS = ['circle', 'rect', 'triangle', 'path://M0 0H10L5 9Z', 'path://M3 0H7V3H10V7H7V10H3V7H0V3H3Z', 'diamond'];
// If maximum / minimum is below this ratio, a logarithmic axis has no second labelled tick.
const LOG_NEEDS = 5;

interface Colors {
    ink: string;
    muted: string;
    line: string;
    panel: string;
    series: string[];
}

function colorsNow(): Colors {
    return {
        ink: themeColor('--ink'),
        muted: themeColor('--muted'),
        line: themeColor('--line'),
        panel: themeColor('--panel'),
        series: Array.from({ length: SERIES_COLORS }, (_, i) => themeColor(`--series-${i + 1}`)),
    };
}

const drawable = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const valid = (point: Point): boolean => drawable(point.x) && drawable(point.y);

function rangeOf(plot: Plot, pick: (point: Point) => (number | null | undefined)[]): [number, number] {
    let least = Infinity;
    let greatest = -Infinity;
    for (const point of plot.series.flatMap(series => series.points))
        for (const value of pick(point))
            if (drawable(value)) {
                least = Math.min(least, value);
                greatest = Math.max(greatest, value);
            }
    return [least, greatest];
}

/** 1, 2 and 5 times powers of ten around a range, or powers alone where they are enough. */
function logTicks([least, greatest]: [number, number]): number[] {
    const steps = greatest / least > 300 ? [1] : [1, 2, 5];
    const ticks: number[] = [];
    for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(greatest)); power++)
        for (const step of steps)
            ticks.push(Number(`${step}e${power}`));
    const first = ticks.findLastIndex(tick => tick <= least);
    const last = ticks.findIndex(tick => tick >= greatest);
    return ticks.slice(Math.max(first, 0), last < 0 ? ticks.length : last + 1);
}

/** Powers of ten with their exponent, where they are long. */
function axisText(value: number): string {
    const power = Math.round(Math.log10(Math.abs(value)));
    if (value > 0 && (power >= 5 || power <= -4) && Math.abs(value / 10 ** power - 1) < 1e-9)
        return `10${String(power).replace('-', '⁻').replace(/\d/g, digit => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? '')}`;
    return numberText(value);
}

/** Names stand in rows where columns would be too narrow for them. */
function inRows(plot: Plot, width: number): boolean {
    return plot.x.names !== undefined && width / plot.x.names.length < 110;
}

/** Letters along an upright axis, which may be low; a longer title takes two lines. */
const UPRIGHT_LETTERS = 28;
function uprightTitle(title: string): string {
    const middle = title.length > UPRIGHT_LETTERS ? title.indexOf(' ', title.length / 2 - 4) : -1;
    return middle < 0 ? title : `${title.slice(0, middle)}\n${title.slice(middle + 1)}`;
}
const namesWidth = (width: number): number => Math.min(190, 0.36 * width);

function axisOption(axis: Axis, range: [number, number], colors: Colors, horizontal: boolean, width: number): object {
    const common = {
        name: horizontal ? axis.title : uprightTitle(axis.title),
        nameLocation: 'middle',
        nameTextStyle: { color: colors.ink, fontSize: 12, lineHeight: 13 },
        nameGap: horizontal ? 28 : 46,
        axisLabel: { color: colors.muted, fontSize: 11, hideOverlap: true },
        axisLine: { show: horizontal, lineStyle: { color: colors.line } },
        axisTick: { show: false },
        splitLine: { show: axis.names === undefined, lineStyle: { color: colors.line } },
    };
    if (axis.names !== undefined)
        return {
            ...common,
            name: '',
            type: 'category',
            data: axis.names,
            inverse: !horizontal,
            axisLabel: { ...common.axisLabel, color: colors.ink, interval: 0, lineHeight: 12, width: horizontal ? 90 : namesWidth(width), overflow: 'break', hideOverlap: false },
        };
    const ticks = logTicks(range);
    const logarithmic = axis.log === true && range[0] > 0 && range[1] / range[0] >= LOG_NEEDS;
    if (!logarithmic)
        return { ...common, type: 'value', scale: true, axisLabel: { ...common.axisLabel, formatter: axisText } };
    return {
        ...common,
        type: 'log',
        min: ticks[0],
        max: ticks.at(-1),
        axisTick: { show: false, customValues: ticks },
        axisLabel: { ...common.axisLabel, formatter: axisText, customValues: ticks },
    };
}

/** Least, quartiles and greatest, with quartiles interpolated linearly. */
export function boxOf(values: number[]): [number, number, number, number, number] {
    const sorted = [...values].sort((a, b) => a - b);
    const at = (share: number): number => {
        const place = share * (sorted.length - 1);
        const below = sorted[Math.floor(place)] ?? NaN;
        return below + (place % 1) * ((sorted[Math.ceil(place)] ?? NaN) - below);
    };
    return [at(0), at(0.25), at(0.5), at(0.75), at(1)];
}

interface DrawApi {
    value: (dimension: number) => number;
    coord: (at: [number, number]) => [number, number];
}

/** The interval of each point as a line with caps. */
function intervals(series: Series, color: string, rows: boolean): object | null {
    const data = series.points.flatMap(p => (valid(p) && drawable(p.low) && drawable(p.high) ? [[p.x, p.low, p.high]] : []));
    if (data.length === 0)
        return null;
    return {
        type: 'custom',
        name: series.name,
        silent: true,
        color,
        encode: rows ? { x: [1, 2], y: 0 } : { x: 0, y: [1, 2] },
        data,
        z: 1,
        renderItem: (_: unknown, api: DrawApi) => {
            const place = (value: number): [number, number] => api.coord(rows ? [value, api.value(0)] : [api.value(0), value]);
            const [x1, y1] = place(api.value(1));
            const [x2, y2] = place(api.value(2));
            const [dx, dy] = rows ? [0, 3] : [3, 0];
            const style = { stroke: color, lineWidth: 1.2, opacity: 0.75 };
            const line = (...[a, b, c, d]: [number, number, number, number]): object => ({ type: 'line', shape: { x1: a, y1: b, x2: c, y2: d }, style });
            return { type: 'group', children: [line(x1, y1, x2, y2), line(x1 - dx, y1 - dy, x1 + dx, y1 + dy), line(x2 - dx, y2 - dy, x2 + dx, y2 + dy)] };
        },
    };
}

function valueOf(point: Point, rows: boolean): [number, number] {
    return rows ? [point.y, point.x] : [point.x, point.y];
}

/** Few points with names of their own carry them, where there is space. */
function labelled(plot: Plot, width: number): boolean {
    const points = plot.series.flatMap(series => series.points);
    return plot.x.names === undefined && width >= 480 && points.length <= 24 && points.every(point => (point.label ?? '') !== '');
}

function pointLabels(plot: Plot, colors: Colors, width: number): object {
    // Points of one row are told apart by the names of their series.
    const names = new Set(plot.series.flatMap(series => series.points.map(point => point.label)));
    return {
        label: {
            show: true,
            position: 'right',
            distance: 5,
            color: colors.ink,
            fontSize: 11,
            formatter: (hovered: { seriesName?: string; data?: { point?: Point } }) => (names.size === 1 ? hovered.seriesName : hovered.data?.point?.label) ?? '',
        },
        // A label that would leave the chart stands left of its point.
        labelLayout: (label: { labelRect: { x: number; width: number }; rect: { x: number } }) => ({
            moveOverlap: 'shiftY',
            ...(label.labelRect.x + label.labelRect.width > width - 4 ? { x: label.rect.x - 5, align: 'right' } : {}),
        }),
    };
}

function marks(series: Series, index: number, plot: Plot, colors: Colors, rows: boolean, width: number, styles: Style[]): object[] {
    const published = series.published === true;
    // Published numbers of a method have the same colour as its measured numbers.
    const measured = plot.series.findIndex(other => other.published !== true && `${other.name}, published` === series.name);
    const place = published ? measured : index;
    const color = colors.series[styles[place]?.color ?? -1] ?? colors.ink;
    const symbol = SYMBOLS[styles[index]?.symbol ?? 0];
    // Published points are hollow, measured points are filled.
    const itemStyle = published ? { color: colors.panel, borderColor: color, borderWidth: 1.8 } : { color, borderColor: colors.panel, borderWidth: 0.8 };
    const data = series.points.filter(valid).map(point => ({ value: valueOf(point, rows), point }));
    const common = { name: series.name, data, symbol: published ? 'diamond' : symbol, symbolSize: published ? 10 : 8, itemStyle, z: 3 };
    const interval = intervals(series, color, rows);
    const drawn: object =
        plot.kind === 'lines'
            ? { ...common, type: 'line', showAllSymbol: true, symbolSize: 6, lineStyle: { color, width: 1.8, type: published ? 'dashed' : 'solid' } }
            : { ...common, type: 'scatter', ...(labelled(plot, width) ? pointLabels(plot, colors, width) : {}) };
    // The legend shows the mark of the first series with a name.
    return interval === null ? [drawn] : [drawn, interval];
}

function boxes(series: Series, index: number, plot: Plot, colors: Colors, rows: boolean): object[] {
    const color = colors.series[index % SERIES_COLORS] ?? colors.ink;
    const groups = (plot.x.names ?? []).map((_, at) => series.points.filter(point => point.x === at && drawable(point.y)));
    const box = {
        type: 'boxplot',
        name: series.name,
        data: groups.map(points => (points.length === 0 ? [] : boxOf(points.map(point => point.y)))),
        itemStyle: { color: 'transparent', borderColor: color, borderWidth: 1.5 },
        layout: rows ? 'vertical' : 'horizontal',
        boxWidth: rows ? [8, 16] : [8, 44],
        silent: true,
        z: 2,
    };
    // With a single series, the points behind the boxes are drawn too, moved sideways if they would hide each other.
    const spread = (at: number, count: number): number => (count < 2 ? 0 : (((at * 7) % count) / (count - 1) - 0.5) * 24);
    const points = groups.flatMap(group =>
        group.map((point, at) => {
            const aside = spread(at, group.length);
            return { value: valueOf(point, rows), point, symbolOffset: rows ? [0, aside / 2] : [aside, 0] };
        }),
    );
    const scatter = { type: 'scatter', name: series.name, data: points, symbolSize: 6, itemStyle: { color, opacity: 0.7 }, z: 3 };
    return plot.series.length === 1 ? [box, scatter] : [{ ...box, silent: false }];
}

interface Hovered {
    seriesName?: string;
    data?: { point?: Point } | number[];
    value?: unknown;
    name?: string;
}

function tooltip(plot: Plot, hovered: Hovered): HTMLElement | string {
    const point = Array.isArray(hovered.data) ? undefined : hovered.data?.point;
    if (point === undefined) {
        if (!Array.isArray(hovered.value))
            return '';
        const [least, lower, median, upper, greatest] = (hovered.value as number[]).slice(-5).map(numberText);
        return element('div', { class: 'tip' }, element('b', {}, `${hovered.name ?? ''}: ${hovered.seriesName ?? ''}`),
            element('div', {}, `median ${median ?? ''}, half within ${lower ?? ''} to ${upper ?? ''}, all within ${least ?? ''} to ${greatest ?? ''}`));
    }
    const line = (axis: Axis, value: number, low?: number | null, high?: number | null): HTMLElement => {
        const text = axis.names?.[value] ?? numberText(value);
        const interval = drawable(low) && drawable(high) ? ` (${numberText(low)} to ${numberText(high)})` : '';
        return element('div', {}, `${axis.title === '' ? '' : `${axis.title}: `}${text}${interval}`);
    };
    const box = element('div', { class: 'tip' }, element('b', {}, point.label ?? hovered.seriesName ?? ''));
    if (point.label !== undefined && plot.series.length > 1)
        box.append(element('div', {}, hovered.seriesName ?? ''));
    const term = terms.get(point.label ?? '') ?? terms.get(hovered.seriesName ?? '');
    if (term !== undefined)
        box.append(element('div', {}, `${term[0]}. ${term[1]}`));
    box.append(line(plot.x, point.x), line(plot.y, point.y, point.low, point.high));
    if (point.record !== undefined && point.record !== null)
        box.append(element('a', { href: recordAddress(point.record) }, 'the record'));
    return box;
}

/** The height that a plot needs in so many pixels of width; null: whatever the page gives it. */
export function chartHeight(plot: Plot, width: number): number | null {
    return inRows(plot, width) ? 80 + 26 * (plot.x.names?.length ?? 0) : null;
}

export function chartOption(plot: Plot, width: number): EChartsCoreOption {
    const colors = colorsNow();
    const rangeX = rangeOf(plot, point => [point.x]);
    const rangeY = rangeOf(plot, point => [point.y, point.low, point.high]);
    const legend = plot.series.length > 1 && !(labelled(plot, width) && plot.series.every(series => series.points.length <= 1));
    const rows = inRows(plot, width);
    const styles = stylesOf(plot, SERIES_COLORS, SYMBOLS.length);
    return {
        animation: false,
        aria: { enabled: false },
        textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, color: colors.ink },
        legend: { show: legend, type: 'scroll', top: 0, left: 'center', textStyle: { color: colors.ink, fontSize: 12 }, pageTextStyle: { color: colors.ink }, pageIconColor: colors.ink, itemWidth: 16, itemHeight: 10 },
        grid: { top: legend ? 36 : 12, left: rows ? namesWidth(width) + 12 : plot.y.title.length > UPRIGHT_LETTERS ? 77 : 64, right: labelled(plot, width) ? 84 : 18, bottom: plot.x.names === undefined || rows ? 44 : 40 },
        tooltip: {
            trigger: 'item',
            enterable: true,
            confine: true,
            backgroundColor: colors.panel,
            borderColor: colors.line,
            textStyle: { color: colors.ink, fontSize: 12 },
            formatter: (hovered: Hovered) => tooltip(plot, hovered),
        },
        xAxis: rows ? axisOption(plot.y, rangeY, colors, true, width) : axisOption(plot.x, rangeX, colors, true, width),
        yAxis: rows ? axisOption(plot.x, rangeX, colors, false, width) : axisOption(plot.y, rangeY, colors, false, width),
        series: plot.series.flatMap((series, index) => plot.kind === 'box' ? boxes(series, index, plot, colors, rows) : marks(series, index, plot, colors, rows, width, styles)),
    };
}
