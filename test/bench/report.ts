/** The service's numbers as a table, and as a section of the documentation. */
import type { Measured, Result } from './measure.ts';
import { machine, markdownTable, mega, whole } from './words.ts';

interface Line {
  readonly name: string;
  readonly ours: string;
  readonly floor: string;
  readonly ratio: string;
  readonly target: string;
  readonly ok: boolean | undefined;
}

const memoryLimit = 250 * 1024 * 1024;
const each = ({ ours }: Measured): string => `${whole(ours)}/s`;

function linesOf({ cases, peakMemory, totals, space }: Result): Line[] {
  const { list50, list200, last, changed, get, small50, create, alone, crowd, event } = cases;
  const { carList, carGet, carCreate } = cases;
  const plain = (measured: Measured, least?: number): Line => {
    const { name, ours, floor = 0 } = measured;
    const ratio = ours / floor;
    const target = least === undefined ? '' : `at least ${least}`;
    return {
      name,
      ours: each(measured),
      floor: `${whole(floor)}/s`,
      ratio: ratio.toFixed(2),
      target,
      ok: least === undefined ? undefined : ratio >= least,
    };
  };
  /** How much longer one takes than the other, by their answers in a second. */
  const longer = (measured: Measured, than: Measured, most: number): Line => {
    const ratio = than.ours / measured.ours;
    return {
      name: `${measured.name}, to ${than.name}`,
      ours: each(measured),
      floor: each(than),
      ratio: ratio.toFixed(2),
      target: `at most ${most} times as long`,
      ok: ratio <= most,
    };
  };
  return [
    plain(list50),
    plain(list200, 0.5),
    longer(last, list200, 3),
    longer(list50, small50, 1.5),
    plain(changed),
    plain(get),
    plain(create),
    plain(event),
    plain(carList, 0.5),
    plain(carGet, 0.5),
    plain(carCreate, 0.4),
    {
      name: `${crowd.name}, to ${alone.name}`,
      ours: each(crowd),
      floor: each(alone),
      ratio: (crowd.ours / alone.ours).toFixed(2),
      target: 'at least 2',
      ok: crowd.ours / alone.ours >= 2,
    },
    {
      name: 'totals of lists, to all rows counted',
      ours: whole(totals.said),
      floor: whole(totals.counted),
      ratio: '',
      target: 'equal',
      ok: totals.said === totals.counted,
    },
    {
      name: 'memory of the service at its most',
      ours: mega(peakMemory),
      floor: '',
      ratio: '',
      target: `below ${mega(memoryLimit)}`,
      ok: peakMemory < memoryLimit,
    },
    {
      name: 'bytes for an appointment, to a plain table',
      ours: whole(space.ours),
      floor: whole(space.plain),
      ratio: (space.ours / space.plain).toFixed(2),
      target: 'at most 1.6',
      ok: space.ours / space.plain <= 1.6,
    },
  ];
}

const titles = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/** In Markdown, with columns that line up on a terminal. */
export function tableOf(database: keyof typeof titles, result: Result): string {
  const verdict = { true: 'ok', false: '**short**', undefined: '' };
  return markdownTable([
    [`${titles[database]} ${result.version}`, 'ours', 'floor or other', 'ratio', 'target', ''],
    ...linesOf(result).map(({ name, ours, floor, ratio, target, ok }) => [
      name,
      ours,
      floor,
      ratio,
      target,
      verdict[`${ok}`],
    ]),
  ]);
}

export function sectionOf(results: Readonly<Record<keyof typeof titles, Result>>): string {
  return `Results of the last run of \`npm run bench\`, which writes this page: ten teams, one of them with 1,000,000 appointments; ${machine()}.
The service, the floor, PostgreSQL and the load generator share those processors.

Numbers are answers per second, the median of three rounds, with eight parallel requests (default). The **floor** is a minimal program, measured in the same run, alternating with the service.
It uses the same framework and the same request id. It executes one prepared statement that reads the records of the answer, and then sends a prepared text of the same size, without keys, scopes,
queries, totals or a log. For writes it inserts its text durably: one row in one table without an index. Every write waits for the disk (\`synchronous=full\`, \`fsync=on\`).

${tableOf('sqlite', results.sqlite)}

${tableOf('postgres', results.postgres)}

### How to read it

- **create, 64 at once, to one at a time** depends on the disk: writes that wait at the same time share a commit, so they gain more on a slower disk. On a fast disk (the floor's writes show its speed)
  the processor is the limit, and the load generator uses it, too. On PostgreSQL each create waits for several round trips to the server; creates that share a commit also share its start and its end.
- **A list on PostgreSQL** also waits for writers of its team (a sync must not miss their changes), looks up the owner of the key, and sets the team for row-level security. It needs two round trips for a first page and four for other pages; the floor needs one. PostgreSQL writes the JSON of the page (\`row_to_json\`).
- **get** and other small answers are mostly checks (key, scope, path, query) and a log line. The floor has none of these.
- **Bytes for an appointment** are measured with 100,000 appointments, inserted in order. The plain table has the same columns and a primary key, but no other index.
- The total of a list with a filter is counted in the index of that filter, so its time grows with the number of matches. The time of totals without a filter, and with \`updatedAfter\` and few changes, doesn't grow.

To reproduce: \`npm run bench\`. Faster: \`npm run bench -- --rows 100000 --database sqlite --only list --seconds 1\`. CPU profile: \`node --cpu-prof test/bench/bench.ts …\`.
`;
}
