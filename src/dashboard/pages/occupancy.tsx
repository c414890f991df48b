/** How full the facility was. */
import { useMemo } from 'preact/hooks';
import { readLocations } from '../facility-reader.ts';
import { Filter, LocationFilter } from '../parts/filter.tsx';
import { Data, Empty, Page } from '../parts/page.tsx';
import { PlotFigure } from '../parts/plot-figure.tsx';
import { Table } from '../parts/table.tsx';
import type { PlotData, Series } from '../plot-points.ts';
import { type Occupancy, type OccupancyRow, readAt } from '../read.ts';
import { asked } from '../router.ts';
import { dateText, dayKey, numberText, shiftDay, startOfDay, timeText } from '../times.ts';
import { useLoaded } from '../use-loaded.ts';

const ranges = [
  ['2', '2 days, by hour'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
  ['1095', '3 years'],
] as const;

const usual = '90';

const stepTitles = { hour: 'Hour', day: 'Day', week: 'Week from' } as const;

export function OccupancyPage() {
  const locationId = asked('location');
  const days = Number(ranges.find(([value]) => value === asked('days'))?.[0] ?? usual);
  // At most 400 rows.
  const step = days <= 2 ? 'hour' : days <= 365 ? 'day' : 'week';
  const locations = useLoaded('locations', readLocations);
  const loaded = useLoaded(`occupancy ${days} ${locationId}`, async () => {
    // Its days begin at its own midnight.
    const location = (await readLocations()).get(locationId);
    if (locationId && !location) return null;
    const zone = location?.timezone;
    const from = startOfDay(shiftDay(dayKey(new Date(), zone), 1 - days), zone).toISOString();
    return readAt<Occupancy>('team/occupancy', { from, step, locationId });
  });
  return (
    <Page title="Occupancy">
      <div class="bar">
        <Filter label="Time" name="days" options={ranges} initial={usual} />
        <LocationFilter of={[...(locations.data?.values() ?? [])]} />
      </div>
      <Data
        of={loaded}
        show={(data) =>
          data === null ? (
            <Empty title="No such location" />
          ) : data.rows.some((row) => row.stored > 0 || row.in > 0 || row.out > 0) ? (
            <Figure data={data} step={step} />
          ) : (
            <Empty title="No cars in this time" />
          )
        }
      />
    </Page>
  );
}

function Figure({
  data: { rows, capacity, timezone, to },
  step,
}: {
  readonly data: Occupancy;
  readonly step: keyof typeof stepTitles;
}) {
  const [plot, strip] = useMemo((): [PlotData, PlotData] => {
    const common = {
      timezone,
      times: rows.map(({ at }) => Date.parse(at) / 1000),
      end: Date.parse(to) / 1000,
    };
    const series = (
      title: string,
      kind: Series['kind'],
      color: string,
      count: (row: OccupancyRow) => number,
    ): Series => ({ title, kind, color, values: rows.map(count) });
    return [
      {
        ...common,
        series: [
          series('Cars stored', 'area', '--accent', ({ stored }) => stored),
          ...(capacity ? [series('Capacity today', 'line', '--quiet', () => capacity)] : []),
        ],
      },
      {
        ...common,
        series: [
          series('In', 'bars', '--good', (row) => row.in),
          series('Out', 'bars', '--warn', ({ out }) => -out),
        ],
      },
    ];
  }, [rows, capacity, timezone, to]);
  const text = (at: string) => (step === 'hour' ? timeText(at, timezone) : dateText(at, timezone));
  const most = rows.reduce((best, row) => (row.stored > best.stored ? row : best));
  // Before the first car there was nothing to count.
  const first = rows.findIndex((row) => row.stored > 0 || row.in > 0 || row.out > 0);
  const counted = rows.slice(Math.max(first, 0));
  const average = Math.round(counted.reduce((sum, { stored }) => sum + stored, 0) / counted.length);
  const since = first > 0 && counted[0] ? ` since ${text(counted[0].at)}` : '';
  const about = `${numberText(average)} on average${since}, most ${numberText(most.stored)} on ${text(most.at)}${capacity ? `, of ${numberText(capacity)} places today` : ''}.`;
  return (
    <PlotFigure
      title="Cars in storage"
      about={about}
      data={plot}
      strip={strip}
      filename="occupancy.csv"
      csv={[
        ['at', 'stored', 'in', 'out'],
        ...rows.map((row) => [row.at, row.stored, row.in, row.out]),
      ]}
      table={
        <Table
          caption="Cars in storage"
          keyOf={({ at }) => at}
          rows={rows.toReversed()}
          columns={[
            { title: stepTitles[step], cell: ({ at }) => text(at) },
            { title: 'Stored', cell: ({ stored }) => numberText(stored), isNumber: true },
            { title: 'In', cell: (row) => numberText(row.in), isNumber: true },
            { title: 'Out', cell: ({ out }) => numberText(out), isNumber: true },
          ]}
        />
      }
    />
  );
}
