/** How full the facility was. */
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { Data, Empty, Page } from '../parts/page.tsx';
import { PlotFigure } from '../parts/plot-figure.tsx';
import { Select } from '../parts/select.tsx';
import { Table } from '../parts/table.tsx';
import type { PlotData, Series } from '../plot-points.ts';
import { readAll, readByIds } from '../read.ts';
import { go, query, withQuery } from '../router.ts';
import { type Occupancy, type OccupancyRow, team } from '../team.ts';
import { dateText, dayKey, numberText, shiftDay, startOfDay, timeText } from '../times.ts';
import { useLoaded } from '../use-loaded.ts';

const ranges = [
  ['2', '2 days, by hour'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
  ['1095', '3 years'],
] as const;

const stepTitles = { hour: 'Hour', day: 'Day', week: 'Week from' } as const;

export function OccupancyPage(): VNode {
  const [range, locationId] = [query.value.get('days') ?? '90', query.value.get('location') ?? ''];
  const days = ranges.some(([value]) => value === range) ? Number(range) : 90;
  // At most 400 rows.
  const step = days <= 2 ? 'hour' : days <= 365 ? 'day' : 'week';
  const locations = useLoaded('locations', (signal) => readAll('locations', {}, signal));
  const loaded = useLoaded(`occupancy ${days} ${locationId}`, async (signal) => {
    // Its days begin at its own midnight.
    const location = locationId
      ? (await readByIds('locations', [locationId], signal)).get(locationId)
      : undefined;
    const from = startOfDay(
      shiftDay(dayKey(new Date(), location?.timezone), 1 - days),
      location?.timezone,
    ).toISOString();
    return team.occupancy({ from, step, locationId: locationId || undefined }, signal);
  });
  return (
    <Page title="Occupancy">
      <div class="bar">
        <Select
          label="Time"
          value={String(days)}
          options={ranges}
          onInput={(value) => go(withQuery({ days: value }))}
        />
        {(locations.data?.length ?? 0) > 1 && (
          <Select
            label="Location"
            value={locationId}
            options={[
              ['', 'All locations'],
              ...(locations.data ?? []).map(({ id, name }) => [id, name] as const),
            ]}
            onInput={(value) => go(withQuery({ location: value }))}
          />
        )}
      </div>
      <Data<Occupancy>
        of={loaded}
        show={(data) =>
          data.rows.some((row) => row.stored > 0 || row.in > 0 || row.out > 0) ? (
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
}): VNode {
  const [plot, strip] = useMemo((): [PlotData, PlotData] => {
    const common = {
      timezone,
      times: rows.map(({ at }) => Date.parse(at) / 1000),
      end: Date.parse(to) / 1000,
    };
    const line = (title: string, values: number[], kind: Series['kind'], color: string) => ({
      ...{ title, values, kind, color },
    });
    const stored = rows.map(({ stored }) => stored);
    return [
      {
        ...common,
        series: [
          line('Cars stored', stored, 'area', '--accent'),
          ...(capacity
            ? [
                line(
                  'Capacity today',
                  stored.map(() => capacity),
                  'line',
                  '--quiet',
                ),
              ]
            : []),
        ],
      },
      {
        ...common,
        series: [
          line(
            'In',
            rows.map((row) => row.in),
            'bars',
            '--good',
          ),
          line(
            'Out',
            rows.map((row) => -row.out),
            'bars',
            '--warn',
          ),
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
        <Table<OccupancyRow>
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
