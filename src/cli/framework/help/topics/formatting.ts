import { columnFormats, formats } from '../../../output/formats.ts';
import { joinList } from '../../../terminal/text.ts';
import { lines, type Part, page, rows, section } from './page.ts';

export const formatting = (): Part[] =>
  page(
    'On a terminal a result is a table or a page for people, otherwise it is JSON. Notes, prompts, warnings and errors go to stderr, so a pipe gets only the result.',
    section(
      'FORMATS (-o)',
      rows(formats.map(({ name, about }) => [name, about] as const)),
      lines(
        'cs cars list --all -o csv > cars.csv',
        'cs cars list --status stored -o id | cs cars list --ids - -o table',
      ),
      'CS_OUTPUT or `cs config set output json` changes the default.',
    ),
    section(
      'FIELDS',
      `--json=id,year selects the fields of JSON, with dots for nested ones; --json alone means all fields. --columns does the same for ${joinList(columnFormats)}. An unknown name exits 2 and lists the valid ones.`,
      lines(
        'cs cars list --json=id,licensePlate',
        'cs customers get "Ann Lee" --json=email,address.city',
        'cs cars list -o csv --columns licensePlate,nickname',
      ),
    ),
    section(
      'JQ',
      '--jq runs a jq program over the result; jq itself is built in. A list is one array of all pages (with --limit or --page, of one page). With -o ndjson the program runs once per record, and memory stays flat.',
      lines(
        "cs cars list --jq '.[] | {licensePlate, status}'",
        'cs cars list --all -o ndjson --jq .licensePlate',
      ),
    ),
    section(
      'TIMES',
      "Times without a zone use this machine's local time, and so do times on the screen. A time with a zone looks like 2026-03-01T14:30:00+01:00. JSON and csv have times in UTC.",
      'Only the days of a series differ: --on, --day-of-month and --last-day of `cs appointments create` are days at the location (default: in the time zone of the team). A first appointment on another day there is refused unless the flags say which day is right.',
    ),
    section(
      'LONG AND COLOURED',
      'A result longer than the terminal goes through a pager: CS_PAGER, PAGER or less. CS_PAGER=cat turns the pager off. A list is one page of records; --all and --jq read all pages. The total is on stderr.',
      'Only terminals get colour. --color never, CS_COLOR=never and NO_COLOR turn it off; --color always and FORCE_COLOR turn it on in a pipe, too. Control characters in text from the server are shown as symbols and never reach the terminal.',
    ),
  );
