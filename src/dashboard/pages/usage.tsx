/** How much each key is used, and the room that files take. */
import { useMemo } from 'preact/hooks';
import { formatBytes } from '../../contract/limits.ts';
import { lateCountText, nameAmong } from '../key-facts.ts';
import { Filter } from '../parts/filter.tsx';
import { Data, Empty, Page } from '../parts/page.tsx';
import { PlotFigure } from '../parts/plot-figure.tsx';
import { Table } from '../parts/table.tsx';
import type { PlotData, Series } from '../plot-points.ts';
import { type ApiKey, readAll, readAt, type Usage, type UsageRow } from '../read.ts';
import { asked } from '../router.ts';
import { dateText, dayKey, numberText, shiftDay, startOfDay, teamZone } from '../times.ts';
import { useLoaded } from '../use-loaded.ts';

const ranges = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
] as const;

const usual = '30';
const countNames = ['requests', 'refused', 'failed', 'uploads'] as const;
type Counts = Pick<UsageRow, (typeof countNames)[number]>;
interface KeyUse extends Counts {
  readonly key: ApiKey;
}
interface DayUse extends Counts {
  readonly day: string;
}

const sumOf = (rows: readonly Counts[]): Counts =>
  rows.reduce<Counts>(
    (sum, row) => ({
      requests: sum.requests + row.requests,
      refused: sum.refused + row.refused,
      failed: sum.failed + row.failed,
      uploads: sum.uploads + row.uploads,
    }),
    { requests: 0, refused: 0, failed: 0, uploads: 0 },
  );

interface KeysAndUsage {
  readonly keys: readonly ApiKey[];
  readonly usage: Usage;
}

export function UsagePage() {
  const keyId = asked('key');
  const days = Number(ranges.find(([value]) => value === asked('days'))?.[0] ?? usual);
  const from = startOfDay(shiftDay(dayKey(new Date()), 1 - days)).toISOString();
  const loaded = useLoaded(`usage ${days}`, async (): Promise<KeysAndUsage> => {
    const [keys, usage] = await Promise.all([
      readAll('team/keys', {}),
      readAt<Usage>('team/usage', { from, step: 'day' }),
    ]);
    return { keys, usage };
  });
  const keys = loaded.data?.keys ?? [];
  return (
    <Page title="Usage">
      <div class="bar">
        <Filter label="Time" name="days" options={ranges} initial={usual} />
        <Filter
          label="Key"
          name="key"
          options={[
            ['', 'All keys'],
            ...keys.map((key) => [key.id, nameAmong(key, keys)] as const),
          ]}
        />
      </div>
      <Data
        of={loaded}
        show={({ keys, usage }) => {
          const wanted = usage.rows.filter((row) => keyId === '' || row.keyId === keyId);
          return (
            <>
              <p>{roomText(usage)}</p>
              {wanted.length === 0 ? (
                <Empty title="No requests in this time" />
              ) : (
                <>
                  <Figure rows={wanted} days={days} />
                  <KeyTable keys={keys} rows={wanted} />
                </>
              )}
            </>
          );
        }}
      />
    </Page>
  );
}

const roomText = ({ usedBytes, quotaBytes }: Usage): string =>
  `Photos and assets take ${formatBytes(usedBytes)}${quotaBytes === null ? '' : ` of ${formatBytes(quotaBytes)}`}.`;

const countColumns = countNames.map((name) => ({
  title: name.charAt(0).toUpperCase() + name.slice(1),
  cell: (row: Counts) => numberText(row[name]),
  isNumber: true,
}));

function KeyTable({
  keys,
  rows,
}: {
  readonly keys: readonly ApiKey[];
  readonly rows: readonly UsageRow[];
}) {
  const byKey = Map.groupBy(rows, ({ keyId }) => keyId);
  const used = keys.flatMap((key): KeyUse[] => {
    const own = byKey.get(key.id);
    return own ? [{ key, ...sumOf(own) }] : [];
  });
  const most = Math.max(...used.map(({ requests }) => requests));
  return (
    <div class="stack">
      <Table
        caption="Requests by key"
        keyOf={({ key }) => key.id}
        rows={used.toSorted((a, b) => b.requests - a.requests)}
        columns={[
          {
            title: 'Key',
            cell: ({ key }) => (
              <a class="strong" href={`/dashboard/keys/${key.id}`}>
                {nameAmong(key, keys)}
              </a>
            ),
          },
          {
            title: 'Share',
            cell: ({ requests }) => <progress max={most} value={requests} aria-hidden="true" />,
          },
          ...countColumns,
        ]}
      />
      <p class="quiet">
        Refused: answered with 4xx, such as a missing scope. Failed: answered with 5xx.{' '}
        {lateCountText}
      </p>
    </div>
  );
}

interface FigureProps {
  readonly rows: readonly UsageRow[];
  readonly days: number;
}

function Figure({ rows, days }: FigureProps) {
  const byDay = useMemo(() => {
    const groups = Map.groupBy(rows, ({ at }) => dayKey(at));
    const today = dayKey(new Date());
    return Array.from({ length: days }, (_, index): DayUse => {
      const day = shiftDay(today, index + 1 - days);
      return { day, ...sumOf(groups.get(day) ?? []) };
    });
  }, [rows, days]);
  const total = sumOf(byDay);
  const plot = useMemo((): PlotData => {
    const series = (title: string, name: keyof Counts, color: string): Series[] => [
      {
        title,
        color,
        kind: name === 'requests' ? 'bars' : 'line',
        values: byDay.map((row) => row[name]),
      },
    ];
    return {
      timezone: teamZone(),
      times: byDay.map(({ day }) => startOfDay(day).getTime() / 1000),
      series: [
        ...series('Requests', 'requests', '--accent'),
        ...(total.refused > 0 ? series('Refused', 'refused', '--warn') : []),
        ...(total.failed > 0 ? series('Failed', 'failed', '--bad') : []),
      ],
    };
  }, [byDay]);
  const most = byDay.reduce((best, row) => (row.requests > best.requests ? row : best));
  const about = `${numberText(Math.round(total.requests / days))} a day on average, most ${numberText(most.requests)} on ${dateText(startOfDay(most.day))}; ${numberText(total.refused)} refused, ${numberText(total.failed)} failed.`;
  return (
    <PlotFigure
      title="Requests by day"
      about={about}
      data={plot}
      filename="usage.csv"
      csv={[
        ['day', ...countNames],
        ...byDay.map((row) => [row.day, ...countNames.map((name) => row[name])]),
      ]}
      table={
        <Table
          caption="Requests by day"
          keyOf={({ day }) => day}
          rows={byDay.toReversed()}
          columns={[
            { title: 'Day', cell: ({ day }) => dateText(startOfDay(day)) },
            ...countColumns,
          ]}
        />
      }
    />
  );
}
