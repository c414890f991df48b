/** The page of the documentation that keeps the figures: all of one run. */
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { CommandFigures } from './command.ts';
import { type Figure, figureTable, type Pair, pairTable } from './figures.ts';

/** What each part of the bench measures. */
export interface Pages {
  readonly service: {
    readonly facility: Pair<readonly Figure[]>;
    readonly large: Pair<readonly Figure[]>;
  };
  readonly command: CommandFigures;
  readonly client: readonly Figure[];
  readonly photos: readonly Figure[];
  readonly store: readonly Figure[];
  readonly copies: readonly Figure[];
  readonly search: Pair<readonly Figure[]>;
  readonly dashboard: readonly Figure[];
}

const file = new URL('../../docs/performance.md', import.meta.url);

export const keepPage = (pages: Pages & { readonly rows: number }): void =>
  writeFileSync(file, pageOf(pages));

function pageOf({
  service,
  command,
  client,
  photos,
  store,
  copies,
  search,
  dashboard,
  rows,
}: Pages & { readonly rows: number }): string {
  const count = rows.toLocaleString('en');
  return `# How fast it is

All figures are of one run of \`npm run bench\`, which writes this page, on ${machine()}. The service, its floor, PostgreSQL, the browser and whoever asks share those processors. Figures are medians, measured in turns with what they are compared to.

A ratio of "at least" tells how fast ours is to the other: 1 is as fast. "At most" tells how many times as long it takes. Without a target it is ours divided by the other: in "/s" more is faster, in "ms" less is. **Short** misses its target.

## The service

Answers in a second, eight requests at once unless the row says otherwise. The **floor** is a program of the same framework that executes one prepared statement, which reads the records of the answer, and sends a prepared text of the same size: no keys, scopes, queries, totals or log. For a write it stores its text durably in one table without an index. The large team is one of ten; its searches are one at a time, in ${count} cars and as many social events.

${pairTable([
  { of: 'a facility of 1,000 cars', figures: service.facility },
  {
    of: `a team with ${count} appointments`,
    figures: {
      sqlite: [...service.large.sqlite, ...search.sqlite],
      postgres: [...service.large.postgres, ...search.postgres],
    },
  },
])}

## The command, the client and the dashboard

Whole processes from start to end; the typed client in one process; the dashboard on SQLite in a real browser, with ${count} parkings of three years, its scripts in processor time with 300 spots, 200 cars, 500 appointments and 60 keys.

${figureTable([
  { of: 'a facility of 1,000 cars', figures: [...command.facility, ...photos, ...store] },
  { of: 'much larger', figures: [...copies, ...command.large, ...client, ...dashboard] },
])}

## What the figures say

- **A get** and other small answers are mostly checks (key, scope, path, query) and a log line; the floor has none of these.
- **A list on PostgreSQL** also waits for writers of its team, so that no sync misses a change, and sets the team for row-level security. PostgreSQL writes the JSON of the page.
- **A create on PostgreSQL** fills the index of searches, in which each part of a plate is found.
- **Creates at once** share a commit: they gain more on a slow disk.
- **Bytes on disk** include the indexes. The plain table has the same columns and a primary key.
- **A common word** is in every record, and the total of a search is counted.
- **Memory** is mostly garbage that V8 lets stand because the machine has room. The executable starts V8 with \`--max-semi-space-size=16\`, which takes 70 MB off the service at the same speed; npm's \`cs\` takes it from NODE_OPTIONS. A program shouldn't set flags of V8 while it runs.

\`npm run bench -- --help\` lists the parts. Profile: \`node --cpu-prof test/bench/bench.ts --only service\`.
`;
}

function machine(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${processors.length} × ${processors[0]?.model.trim()}, ${memory} GB of memory, Node ${process.versions.node}, SQLite ${process.versions.sqlite}`;
}
