/** Plots by uPlot, which is loaded with this file. Colours are those of the style sheet. */
import UPlot from 'uplot';
import { type PlotData, pointsOf } from './plot-points.ts';
import { formatOf, numberText } from './times.ts';

/** Drawn into the element, again when its width or the colour scheme changes. Returns what removes it. */
export function drawPlot(element: HTMLElement, data: PlotData): () => void {
  let plot: UPlot | undefined;
  const draw = () => {
    plot?.destroy();
    plot = new UPlot(optionsOf(element, data), pointsOf(data) as UPlot.AlignedData, element);
  };
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const size = new ResizeObserver(() => {
    if (plot && plot.width !== element.clientWidth)
      plot.setSize({ width: element.clientWidth, height: heightOf(element) });
  });
  draw();
  scheme.addEventListener('change', draw);
  size.observe(element);
  return () => {
    scheme.removeEventListener('change', draw);
    size.disconnect();
    plot?.destroy();
  };
}

const heightOf = ({ clientWidth, classList }: HTMLElement) =>
  classList.contains('strip-plot') ? 130 : clientWidth < 500 ? 240 : 320;

function optionsOf(
  element: HTMLElement,
  { series, times, timezone, end }: PlotData,
): UPlot.Options {
  const colorOf = (name: string) => colorIn(element, name);
  const axis = {
    stroke: colorOf('--quiet'),
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { stroke: colorOf('--line'), width: 1 },
  };
  // With an end, a value is of the time from its tick to the next one; without, it stands at its tick.
  const isSpan = end !== undefined;
  const bars = UPlot.paths.bars?.({ size: [0.8, 40], align: isSpan ? 1 : 0 });
  const lines = isSpan ? UPlot.paths.stepped?.({ align: 1 }) : UPlot.paths.linear?.();
  const [first = 0, second = first + 86_400] = times;
  // A day names no year twice, up to a year.
  const hasYears = (times.at(-1) ?? first) - first > 366 * 86_400;
  const day = formatOf({
    timeZone: timezone,
    day: 'numeric',
    month: 'short',
    ...(hasYears && { year: 'numeric' }),
  });
  const clock = formatOf({ timeZone: timezone, timeStyle: 'short' });
  // Within a day, hours; a new day is named.
  const dates = (tick: number, before: number | undefined) => {
    const text = day.format(tick * 1000);
    return before !== undefined && day.format(before * 1000) === text
      ? clock.format(tick * 1000)
      : text;
  };
  const timeText = (at: number) =>
    `${day.format(at * 1000)}${isHourly ? `, ${clock.format(at * 1000)}` : ''}`;
  const half = (second - first) / 2;
  const isHourly = second - first === 3600;
  return {
    width: element.clientWidth,
    height: heightOf(element),
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), timezone),
    // Bars at their ticks need half of one more at each end.
    scales: {
      x: {
        time: true,
        range: (_, least, most) => (isSpan ? [least, most] : [least - half, most + half]),
      },
      y: { range: (_, least, most) => [Math.min(0, least * 1.08), Math.max(1, most * 1.08)] },
    },
    axes: [
      { ...axis, values: (_, ticks) => ticks.map((tick, at) => dates(tick, ticks[at - 1])) },
      {
        ...axis,
        values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? numberText(tick) : '')),
      },
    ],
    series: [
      {
        label: 'At',
        value: (_, at, __, index) =>
          at == null ? '' : timeText(times[index ?? 0] ?? times.at(-1) ?? at),
      },
      ...series.map(({ title, kind, color }): UPlot.Series => {
        const stroke = colorOf(color);
        return {
          label: title,
          value: (_, value) => (value == null ? '' : numberText(Math.abs(value))),
          stroke,
          width: kind === 'bars' ? 0 : 2,
          ...(kind === 'line' && { dash: [6, 4] }),
          ...(kind !== 'line' && {
            fill: kind === 'area' ? `color-mix(in srgb, ${stroke} 22%, transparent)` : stroke,
          }),
          ...(kind === 'bars' ? bars && { paths: bars } : lines && { paths: lines }),
          points: { show: false },
        };
      }),
    ],
  };
}

/** A colour as the browser computes it, since a canvas knows no variables. */
function colorIn(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
