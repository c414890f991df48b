/** A plot with its heading, a sentence that says what is to be seen, and the same numbers as a table. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PlotData } from '../plot-points.ts';
import { query, withQuery } from '../router.ts';
import { Button } from './form.tsx';
import { Card } from './page.tsx';
import { type CsvRow, downloadCsv } from './table.tsx';

interface Props {
  readonly title: string;
  /** `41 on average, most 58 on 3 Oct`. */
  readonly about: string;
  readonly data: PlotData;
  /** In a strip of its own below, at the same times. */
  readonly strip?: PlotData;
  readonly table: ComponentChildren;
  /** Rows with their heads. */
  readonly csv: readonly CsvRow[];
  readonly filename: string;
}

export function PlotFigure({ title, about, data, strip, table, csv, filename }: Props) {
  const isTable = query.value.get('as') === 'table';
  return (
    <Card title={title}>
      <p>{about}</p>
      {isTable ? table : <Plot data={data} about={`${title}: ${about}`} />}
      {strip && !isTable && <Plot data={strip} about={stripText(strip)} isStrip />}
      <p class="quiet about">Days and times are those of {data.timezone}.</p>
      <div class="actions">
        <a class="button" href={withQuery({ as: isTable ? undefined : 'table' })}>
          {isTable ? 'Show as plot' : 'Show as table'}
        </a>
        <Button onClick={() => downloadCsv(filename, csv)}>CSV</Button>
      </div>
    </Card>
  );
}

const stripText = ({ series }: PlotData) => series.map(({ title }) => title).join(' and ');

interface PlotProps {
  readonly data: PlotData;
  readonly about: string;
  readonly isStrip?: boolean;
}

function Plot({ data, about, isStrip }: PlotProps) {
  const element = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState(false);
  useEffect(() => {
    let remove: (() => void) | undefined;
    let isOver = false;
    import('../plot.ts')
      .then(({ drawPlot }) => {
        if (!isOver && element.current) remove = drawPlot(element.current, data);
      })
      .catch(() => setFailure(true));
    return () => {
      isOver = true;
      remove?.();
    };
  }, [data]);
  if (failure)
    return (
      <p class="notice warn">The plot couldn't be loaded. Show the table, or reload the page.</p>
    );
  return (
    <div class={isStrip ? 'plot strip-plot' : 'plot'} ref={element} role="img" aria-label={about} />
  );
}
