/** Codes of photos, assets, files and bulk work. */

import type { CodeInfo } from './code.ts';

export const fileCodes = {
  invalid_file: {
    exit: [3, 9],
    means:
      "The content of a file can't be used: a photo or asset that is missing, empty, damaged, too large or of another type, a table with invalid rows or columns, or text in another encoding.",
    next: 'Fix the file, or leave it out. Of a photo, `reason` in the details says why.',
  },
  file_exists: {
    exit: 7,
    means: 'A file with this name already exists. cs overwrites files only with --overwrite.',
    next: 'Choose another name, or give --overwrite.',
  },
  output_not_written: {
    exit: 1,
    means:
      "The result couldn't be written: the disk is full or failed. Changes made before are stored.",
    next: 'Free some disk space or write somewhere else, and run the command again. After a write, check the result first.',
  },
  stored_not_printed: {
    exit: 15,
    means:
      "The command stored its changes, but the result couldn't be printed: --jq failed, or the output couldn't be written.",
    next: "Don't run it again: the error lists the ids of the stored records, and `cs api` shows them.",
  },
  deleted_since: {
    exit: [7, 11],
    means:
      'An earlier run with the same idempotency key stored the record, which was deleted since. Nothing new was stored.',
    next: 'Give another --idempotency-key; for `cs import`, give --again.',
  },
  possibly_imported: {
    exit: [7, 11],
    means:
      "An earlier import sent the row and got no answer. The server recognises no repeated requests, and doesn't tell whether it stored the row, so cs doesn't send it again.",
    next: 'Check the records. Import the rows that are missing with --again; `--failures FILE` writes them into a file.',
  },
  file_unusable: {
    exit: [1, 2, 6],
    means: "A file or folder can't be read, written or created.",
    next: 'Check the path, its permissions and the space on the disk.',
  },
} as const satisfies Record<string, CodeInfo>;

/** Sync, watch, export and import, and input texts. */
export const bulkCodes = {
  file_changed: {
    exit: 7,
    means:
      'A file or table of a mirror was changed since the last run of `cs sync`: its count or checksum differs from the stored one, or the file is missing.',
    next: 'Run `cs sync` as the hint shows: it reads every record again and replaces the file or table.',
  },
  other_origin: {
    exit: 7,
    means:
      'The mirror contains records of another server or team, or the same command was begun with another key or address and is unfinished. cs never mixes two.',
    next: 'Choose another place with --to. An unfinished command: finish it with the command in the hint, or forget it with `cs pending discard`.',
  },
  state_unusable: {
    exit: 7,
    means: "A file with a position or a mirror can't be read, or wasn't written by this command.",
    next: 'Choose another file. Delete a file of --state to start over.',
  },
} as const satisfies Record<string, CodeInfo>;
