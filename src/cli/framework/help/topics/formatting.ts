import { lines, page, rows, section } from './page.ts';

export const formatting = (): string =>
  page(
    'On a terminal a result is a table or a page for people, otherwise it is JSON. What is no result (notes, questions, warnings, errors) is on stderr, so that a pipe holds the result and nothing else.',
    section(
      'FORMATS (-o)',
      rows([
        ['table', 'the few columns that matter, fitted to the terminal; names in place of ids'],
        ['json', 'one document: a list is the array of its records, one record is an object'],
        ['ndjson', 'a record a line, written as it comes, however many there are'],
        ['csv', 'a column a field, for spreadsheets; a text that would be a formula gets an apostrophe'],
        ['tsv', 'the same between tabs, a record a line, for cut and awk'],
        ['yaml', 'the records as YAML'],
        ['id', 'an id a line, for the --ids - of the next command'],
      ]),
      lines('cs cars list --all -o csv > cars.csv', 'cs cars list --status stored -o id | cs cars list --ids - -o table'),
      'CS_OUTPUT, or `cs config set output json`, chooses for good.',
    ),
    section(
      'FIELDS',
      '--json picks the fields of JSON, with dots for what lies in them; bare it means all. --columns does the same for table, csv and tsv. A name that there is not is told with those that there are.',
      lines(
        'cs cars list --json id,licensePlate',
        'cs customers get "Ann Lee" --json email,address.city',
        'cs cars list -o csv --columns licensePlate,nickname',
      ),
    ),
    section(
      'JQ',
      '--jq runs a jq program over the result; no jq need be installed. Of a list it sees every page, as one array, unless --limit or --page is given. With -o ndjson it sees one record at a time, and memory stays flat.',
      lines("cs cars list --jq '.[] | {licensePlate, status}'", 'cs cars list --all -o ndjson --jq .licensePlate'),
    ),
    section(
      'TIMES',
      'A time that is typed without a zone is of this machine, and so is a time on the screen; with one, as in 2026-03-01T14:30:00+01:00, it is what it says. JSON and csv have times in UTC.',
      'Only the days of a series are counted elsewhere: --on, --day-of-month and --last-day of `cs appointments create` are days at the location, or in the time zone of the team where none is given. A first appointment that is on another day there is refused unless what was given says which of the two is meant.',
    ),
    section(
      'LONG AND COLOURED',
      'A result that is longer than the terminal goes through a pager: CS_PAGER, PAGER or less. --no-pager, or an empty CS_PAGER, turns that off. A list is one page of records unless --all or --jq is given; how many there are in all is told on stderr.',
      'Colour is for terminals alone. --color never, CS_COLOR=never and NO_COLOR turn it off, --color always turns it on in a pipe too. Control characters in what others wrote are shown as signs and never reach a terminal.',
    ),
  );
