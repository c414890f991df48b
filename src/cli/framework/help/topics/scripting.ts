import { lines, type Part, page, section } from './page.ts';

export interface Recipe {
  readonly title: string;
  readonly about: string;
  /** Shell commands, each of one or more lines. A test runs each. */
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
      'Failed requests are retried automatically. For a job that may be restarted after a crash, give each write an idempotency key: a repeat returns the record of the first run. Exit 8 (rate limit), 9 (no connection) and 10 (error of the server) are worth another try later.',
    shell: [
      'cs locations create --name Annex --idempotency-key "import-2026-1" -o id',
      'until cs sync cars --to mirror.db -q; do case $? in 8|9|10) sleep 60 ;; *) exit 1 ;; esac; done',
    ],
  },
  {
    title: 'READ CHANGES',
    about:
      'With --state, `cs watch` goes on where the last run of that name stopped: a line of JSON per new or changed record, for any tool that loads NDJSON, or a command for each, such as a webhook.',
    shell: [
      'cs watch cars customers --since "1 hour ago" --state warehouse --once -o ndjson >> changes.ndjson',
      `cs watch appointments --since "1 hour ago" --state webhook --once --exec 'curl -fsS --json @- https://hooks.example.com/cars'`,
      'cs customers list --updated-after "1 hour ago" --all -o ndjson > changed.ndjson',
    ],
  },
  {
    title: 'MIRROR INTO A DATABASE',
    about:
      'SQLite by the name of a file; PostgreSQL by its address, in a file that CS_MIRROR_URL_FILE names. --full, once a night, also removes deleted records.',
    shell: [
      'cs sync cars customers appointments --to mirror.db --full && cs sync verify mirror.db',
      'export CS_MIRROR_URL_FILE=mirror.url; cs sync cars customers appointments --full && cs sync verify',
    ],
  },
  {
    title: 'DAYS TO BILL',
    about:
      'The days of each customer in a month, with names; --by car has a line for each car. `cs usage --help` has the rule. The second line lists the stays themselves.',
    shell: [
      'cs usage --month 2026-10 -o csv > days.csv',
      'cs parking assignments list --location Main --from 2026-10-01 --to 2026-11-01 -o csv > stays.csv',
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
    title: 'DROP OFF CARS FROM A LIST',
    about:
      'One idempotency key for each line of arrivals.csv (key,car,zone, without a header), so the same loop again after a failure stores nothing twice.',
    shell: [
      `tr -d '\\r' < arrivals.csv | while IFS=, read -r key car zone || [ -n "$key" ]; do
  cs dropoff "$car" --type drop_off --zone "$zone" --idempotency-key "$key" --yes -q < /dev/null
done`,
    ],
  },
  {
    title: 'FIND CARS WITHOUT PHOTOS',
    about: 'Cars of today that are still here without a photo. cron mails what a job prints.',
    shell: ["cs today --jq '.withoutPhotos[].car | .licensePlate // .nickname'"],
  },
  {
    title: 'CLOSE A LOCATION',
    about:
      'Deactivates the location, so that no car arrives any more, and moves every car. The last line lists the cars that are left.',
    shell: [
      `cs locations delete Depot --yes -q
cs parking assignments list --location Depot --active --all --jq '.[].carId' |
  while read -r car; do cs move "$car" --zone "Hall 1" --yes -q < /dev/null; done
cs parking assignments list --location Depot --active`,
    ],
  },
  {
    title: 'ROTATE A KEY',
    about:
      'On the machine of the service. The job reads its key from key.txt (CS_KEY_FILE); the old key is revoked once the new one works.',
    shell: [
      `umask 077; cs admin key create --team garage-nord --name sync-2027 --scope read:cars --expires 400d --jq .key > key.new
CS_KEY_FILE=key.new cs auth status -q && mv key.new key.txt && cs admin key revoke sync-2026 --team garage-nord`,
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

export const scripting = (): Part[] =>
  page(
    ...recipes.map(({ title, about, shell }) =>
      section(title, about, lines(...shell.flatMap((one) => one.split('\n')))),
    ),
  );
