/** The codes of sync, watch, export and import, and of the text that people give. */
import { ends } from './command-code.ts';

export const bulkCodes = {
  invalid_csv: ends(
    3,
    'The file is no CSV that can be read: most often a quote that is never closed.',
    'A quote within a quoted cell is written twice. Save it anew as CSV in UTF-8.',
  ),
  wrong_encoding: ends(
    3,
    "The text isn't in its encoding (default: UTF-8). Nothing was sent, since wrong characters would have been stored.",
    'Save it as UTF-8. `cs import` also takes --encoding: windows-1252 for what spreadsheet programs save in Europe, latin1, utf-16.',
  ),
  not_text: ends(
    3,
    'The file is compressed, an archive or a spreadsheet, not text.',
    'Unpack it first, or save the sheet as CSV in UTF-8.',
  ),
  unknown_columns: ends(
    3,
    "Columns of the CSV file aren't fields of the resource. Nothing was sent.",
    'Rename or remove them. `cs schema RESOURCE create` shows the fields.',
  ),
  folder_unusable: ends([1, 2], 'The folder for the files cannot be made or written.', 'Choose another one with --to.'),
  folder_in_use: ends(7, 'Another run is at work in the same folder.', 'Wait for it to end, or choose another folder.'),
  file_changed: ends(
    7,
    'A file in the folder of `cs sync` is not as the last run left it: its count or its checksum differs from sync.json.',
    'Run `cs sync` with --full, as the hint shows: it reads every record again and replaces the file.',
  ),
  server_older: ends(
    7,
    'The server has an older state than the folder of `cs sync`. It was restored from a backup, or is another one at the same address.',
    'Check the server. Then make the folder equal to it with `cs sync` and --full, as the hint shows.',
  ),
  other_origin: ends(
    7,
    'The folder holds the records of another server or team, and two are never mixed.',
    'Choose another folder with --to.',
  ),
  no_ids: ends(
    9,
    'The server gives these records no id, so they cannot be told apart from one run to the next.',
    'Read them with `list` instead.',
  ),
  state_unusable: ends(
    7,
    'The file of --state cannot be read, or is of something else.',
    'Remove it to begin anew, or name another place.',
  ),
  other_watch: ends(
    7,
    'The file of --state belongs to a watch of other records, or with other filters.',
    'Give each watch a file of its own with --state.',
  ),
  jq_memory: ends(
    2,
    'The result is more than jq can hold at once, which is about 100,000 records.',
    'Add -o ndjson: then the program is run for each record, however many there are.',
  ),
};
