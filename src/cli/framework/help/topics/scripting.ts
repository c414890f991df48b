import { lines, page, section } from './page.ts';

export interface Recipe {
  readonly title: string;
  readonly about: string;
  /** Lines for a shell. Each is run by a test. */
  readonly shell: readonly string[];
}

export const recipes: readonly Recipe[] = [
  {
    title: 'READ',
    about: 'Off a terminal the output is JSON, and never coloured. A list is an array, an empty one is [], and --all reads every page.',
    shell: [
      'cs cars list --status stored --all > stored.json',
      'cs cars list --all -o ndjson | wc -l',
      "cs cars list --all --jq '.[].licensePlate'",
    ],
  },
  {
    title: 'HAND IDS ON',
    about: '-o id writes an id a line, and --ids - reads them. An empty list does nothing to nobody.',
    shell: ['cs cars list --customer "Ann Lee" -o id | cs cars list --ids -'],
  },
  {
    title: 'BRANCH ON WHAT HAPPENED',
    about: 'The exit code names the kind of failure: `cs help exit-codes`. Every line of this page runs under `bash -euo pipefail`.',
    shell: ['cs cars get "XX YY 999" > car.json || { [ $? -eq 6 ] && echo "no such car"; }'],
  },
  {
    title: 'WRITE',
    about: 'Nothing is ever asked off a terminal: what is missing is exit 2. --dry-run shows a write and sends nothing.',
    shell: [
      'cs customers create --first-name Bo --last-name Ek --dry-run',
      'echo \'{"year": 1973, "make": "Porsche", "model": "911"}\' | cs cars create --input - -o id',
    ],
  },
  {
    title: 'TRY AGAIN WITHOUT DOING IT TWICE',
    about:
      'Requests are repeated by themselves. For a job that is started anew after a crash, give the write a key of its own: the second time it answers with what the first has made.',
    shell: ['cs locations create --name Annex --idempotency-key "import-2026-1" -o id'],
  },
  {
    title: 'WHAT HAS CHANGED',
    about: 'Keep the time before you read, and begin there the next time. At or after counts, so nothing is missed.',
    shell: ['cs customers list --updated-after "1 hour ago" --all -o ndjson > changed.ndjson'],
  },
  {
    title: 'WHAT NO COMMAND DOES',
    about: '`cs api` sends any request, with the same key, retries and exit codes.',
    shell: ["cs api '/cars/{WN AB 123}/events' --all", "cs api PATCH '/cars/{Greta}' -F mileage=48210"],
  },
  {
    title: 'CLEAN UP BY NIGHT',
    about:
      '--dry-run counts, and --confirm takes the expected number; with another number nothing is deleted. A job whose number differs from night to night takes it from the dry run. With --exit-code, a dry run that finds something exits with 12.',
    shell: [
      'cs templates prune --unused-for 90d --keep 5 --dry-run',
      "cs templates prune --name 'ci/*' --keep 10 --confirm 1",
      "cs templates prune --name 'ci/*' --keep 10 --dry-run --exit-code || [ $? -eq 12 ]",
      `count=$(cs templates prune --name 'ci/*' --keep 10 --dry-run --jq length); cs templates prune --name 'ci/*' --keep 10 --confirm "$count"`,
    ],
  },
];

export const scripting = (): string => page(...recipes.map(({ title, about, shell }) => section(title, about, lines(...shell))));
