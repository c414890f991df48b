import { lines, page, section } from './page.ts';

export interface Recipe {
  readonly title: string;
  readonly about: string;
  /** Shell commands. A test runs each. */
  readonly shell: readonly string[];
}

export const recipes: readonly Recipe[] = [
  {
    title: 'READ',
    about:
      'Without a terminal, the output is JSON without colour. A list is an array, an empty list is [], and --all reads every page.',
    shell: [
      'cs cars list --status stored --all > stored.json',
      'cs cars list --all -o ndjson | wc -l',
      "cs cars list --all --jq '.[].licensePlate'",
    ],
  },
  {
    title: 'KNOW THE SHAPE',
    about:
      'Records have the fields of `cs schema cars`. The results of `cs today`, `board`, `dropoff`, `pickup`, `move` and `doctor` follow a JSON Schema each, which `cs schema` prints.',
    shell: ['cs schema today > today.schema.json', "cs today --jq '.arrivals[].car.licensePlate'"],
  },
  {
    title: 'PASS IDS ON',
    about: '-o id writes one id per line, and --ids - reads them. An empty list is a no-op.',
    shell: ['cs cars list --customer "Ann Lee" -o id | cs cars list --ids -'],
  },
  {
    title: 'BRANCH ON THE RESULT',
    about:
      'The exit code tells the kind of error, see `cs help exit-codes`. Every command on this page works with `bash -euo pipefail`.',
    shell: ['cs cars get "XX YY 999" > car.json || { [ $? -eq 6 ] && echo "no such car"; }'],
  },
  {
    title: 'WRITE',
    about:
      'Without a terminal `cs` never prompts: a missing value is exit 2. --dry-run shows a write and sends nothing.',
    shell: [
      'cs customers create --first-name Bo --last-name Ek --dry-run',
      'echo \'{"year": 1973, "make": "Porsche", "model": "911"}\' | cs cars create --input - -o id',
    ],
  },
  {
    title: 'RETRY SAFELY',
    about:
      'Failed requests are retried automatically. For a job that may be restarted after a crash, give each write an idempotency key: a repeat returns the record of the first run.',
    shell: ['cs locations create --name Annex --idempotency-key "import-2026-1" -o id'],
  },
  {
    title: 'READ CHANGES',
    about:
      'With --state, `cs watch` goes on where the last run of that name stopped: a line of JSON per new or changed record, for any tool that loads NDJSON, or a command for each, such as `curl --json @- URL`. `cs sync` mirrors into SQLite; for PostgreSQL, CS_MIRROR_URL_FILE names a file with the address, in place of --to.',
    shell: [
      'cs watch cars customers --since "1 hour ago" --state warehouse --once -o ndjson >> changes.ndjson',
      `cs watch appointments --state webhook --once --exec 'cat >> "$CS_CHANGE_RESOURCE.ndjson"'`,
      'cs sync cars customers appointments --to mirror.db --full && cs sync verify mirror.db',
      'cs customers list --updated-after "1 hour ago" --all -o ndjson > changed.ndjson',
    ],
  },
  {
    title: 'EXPORT FOR ACCOUNTING, EACH NIGHT',
    about:
      'A file per resource, with the names of customers, cars and places beside their ids. manifest.json is written last: without it the export is incomplete.',
    shell: [
      'cs export appointments parking-assignments customers --to accounting -o csv --with-names --overwrite && test -s accounting/manifest.json',
    ],
  },
  {
    title: 'ADD MANY RECORDS',
    about:
      'Columns are fields or flags of `create`, and take names. The same line again skips the rows that were created; rejects.csv has the rows to fix, and results.ndjson what became of each.',
    shell: [
      `{ echo location,name; seq -f 'Main,R%g' 1 200; } > spots.csv && cs import parking-spots spots.csv --rejects rejects.csv --results results.ndjson -q > spots.json`,
    ],
  },
  {
    title: 'SEND ANY REQUEST',
    about: '`cs api` sends any request, with the same key, retries and exit codes.',
    shell: [
      "cs api '/cars/{WN AB 123}/events' --all",
      "cs api PATCH '/cars/{Greta}' -F mileage=48210",
    ],
  },
  {
    title: 'CLEAN UP REGULARLY',
    about:
      '--dry-run lists the templates, and --confirm takes the expected number; if it differs, nothing is deleted. Where the number varies, take it from the dry run. With --exit-code, a dry run that finds templates exits with 12.',
    shell: [
      'cs templates prune --unused-for 90d --keep 5 --dry-run',
      "cs templates prune --name 'ci/*' --keep 10 --confirm 1",
      "cs templates prune --name 'ci/*' --keep 10 --dry-run --exit-code || [ $? -eq 12 ]",
      `count=$(cs templates prune --name 'ci/*' --keep 10 --dry-run --jq length); cs templates prune --name 'ci/*' --keep 10 --confirm "$count"`,
    ],
  },
];

export const scripting = (): string =>
  page(...recipes.map(({ title, about, shell }) => section(title, about, lines(...shell))));
