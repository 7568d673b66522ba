/** Plots that answer to the pointer, in place of the pictures of figures that data.js has the data of. */
import { BoxplotChart, CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, LegendScrollComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { SVGRenderer } from 'echarts/renderers';
import { cardShow } from './cards';
import { chartHeight, chartOption } from './chart_options';
import { joined, ROWS, shortened, withoutFar } from './chart_parts';
import { type Plot, type Point } from './data';
import { element, numberText, whenNear } from './elements';
import { onTheme } from './theme';

use([BoxplotChart, CustomChart, LineChart, ScatterChart, GridComponent, LegendComponent, LegendScrollComponent, TooltipComponent, LabelLayout, SVGRenderer]);

function plotStart(figure: HTMLElement, whole: Plot): void {
    const { plot: near, far } = withoutFar(joined(whole));
    let plot = shortened(near);
    const picture = figure.querySelector('img');
    const box = element('div', { class: 'chart', role: 'img', 'aria-label': picture?.alt ?? plot.title });
    if (picture === null) {
        figure.prepend(box);
    } else {
        // The link around the picture, if there is one, is replaced together with the picture.
        const shown = picture.closest('a') ?? picture;
        shown.before(box);
        shown.hidden = true;
    }
    const axes = plot.kind === 'points' && plot.x.names === undefined && !plot.title.includes(' against ') ? `: ${plot.y.title} against ${plot.x.title}` : '';
    box.before(element('p', { class: 'plot-title' }, plot.title + axes));
    if (far !== '')
        box.after(element('p', { class: 'legend' }, far));
    const start = (): void => {
        if (figure.dataset.drawn !== undefined)
            return;
        figure.dataset.drawn = '';
        const chart = init(box, null, { renderer: 'svg' });
        let width = 0;
        const draw = (): void => {
            width = box.clientWidth;
            const height = chartHeight(plot, width);
            box.style.height = height === null ? '' : `${height}px`;
            chart.resize();
            chart.setOption(chartOption(plot, width), { notMerge: true });
            chart.getZr().flush();
            // Paper is narrower than the window, so that the drawing must scale.
            box.querySelector('svg')?.setAttribute('viewBox', `0 0 ${width} ${box.clientHeight}`);
        };
        draw();
        onTheme(draw);
        const all = near.x.names?.length ?? 0;
        if (all > ROWS) {
            const more = element('button', { type: 'button' }, `Show all ${all} rows`);
            more.addEventListener('click', () => {
                plot = near;
                more.remove();
                draw();
            });
            box.after(more);
        }
        chart.on('click', event => {
            const point = (event.data as { point?: Point } | undefined)?.point;
            const at = box.getBoundingClientRect();
            if (point?.record !== undefined && point.record !== null)
                void cardShow(point.record, `${point.label ?? ''}, ${plot.y.title}: ${numberText(point.y)}`, new DOMRect(at.left + (event.event?.offsetX ?? 0), at.top + (event.event?.offsetY ?? 0), 0, 0));
        });
        new ResizeObserver(() => {
            if (box.clientWidth > 0 && box.clientWidth !== width)
                draw();
        }).observe(box);
    };
    // Where there is a picture it is printed (page.css); else the plot is drawn at once.
    if (picture === null && document.documentElement.classList.contains('printing')) {
        start();
    } else {
        whenNear(box, start);
        if (picture === null)
            addEventListener('beforeprint', start);
    }
}

export function plotsStart(plots: Record<string, Plot>, within: ParentNode): void {
    for (const figure of within.querySelectorAll<HTMLElement>('figure.plot[data-plot]')) {
        const plot = plots[figure.dataset.plot ?? ''];
        if (plot?.series.some(series => series.points.length > 0) === true)
            plotStart(figure, plot);
    }
}
