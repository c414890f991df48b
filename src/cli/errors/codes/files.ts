/** Codes of photos, assets, files and bulk work. */
import { aboutMegabytes, assetLimit, photoLimit } from '../../../contract/limits.ts';
import type { CodeInfo } from './code.ts';

export const fileCodes = {
  photo_not_found: {
    exit: 3,
    means: "The file doesn't exist, or the folder or pattern contains no photo.",
    next: 'Check the spelling and the folder.',
  },
  photo_unreadable: {
    exit: 3,
    means: "The file exists but can't be read.",
    next: 'Check its permissions, or copy it somewhere else.',
  },
  photo_is_directory: {
    exit: 3,
    means: 'The path is a folder, not a photo.',
    next: 'Name the photos in it, such as shots/*.jpg.',
  },
  photo_empty: {
    exit: 3,
    means: 'The file is empty, most likely an incomplete copy.',
    next: 'Copy it from the camera again.',
  },
  photo_not_a_photo: {
    exit: 3,
    means: "The bytes of the file aren't a supported photo type, whatever its name says.",
    next: 'Save it as JPEG, PNG, WebP, HEIC, AVIF or GIF.',
  },
  photo_damaged: {
    exit: [3, 9],
    means:
      "The photo is incomplete or can't be decoded. For a download: the bytes don't match the stored photo.",
    next: 'Copy the photo again. Repeat a download.',
  },
  photo_too_many_pixels: {
    exit: 3,
    means: 'The photo has too many pixels to decode safely.',
    next: 'Make it smaller with another program first.',
  },
  photo_cannot_shrink: {
    exit: 3,
    means: `The photo is larger than ${aboutMegabytes(photoLimit)} and its type can't be shrunk, such as HEIC or an animation.`,
    next: 'Save it as JPEG, or set the camera to JPEG.',
  },
  phone_unreachable: {
    exit: 1,
    means: 'No address of this machine can be reached by a phone.',
    next: 'Connect it to the network of the phone, or name an address with --phone-address. Or give the photos as files.',
  },
  photo_changed: {
    exit: 3,
    means: 'The file has changed since the command that sends it began.',
    next: 'Look at it. If it is the right photo, add it with `cs cars photos add`.',
  },
  photo_location_stuck: {
    exit: 3,
    means:
      "The place where the photo was taken couldn't be removed from the file, so it was not sent.",
    next: 'Save it again with another program, or send it as it is with --keep-location.',
  },
  photos_not_verified: {
    exit: [11, 12],
    means: 'The server has no photo for some of the files, or shows too little to tell.',
    next: 'Keep these files. Send the missing ones again with `cs cars photos add`.',
  },
  photos_not_moved: {
    exit: 11,
    means:
      'The photos are stored, but some files are still at their old place. The result has the reason for each.',
    next: 'Remove the cause, such as another file of the same name, and run the command again.',
  },
  photos_unusable: {
    exit: 3,
    means: "Several photos can't be sent; the error lists each reason. Nothing was sent.",
    next: 'Fix or leave out the listed photos.',
  },
  asset_not_a_file: { exit: 3, means: "The path isn't a regular file.", next: 'Leave it out.' },
  asset_empty: { exit: 3, means: 'The file is empty.', next: 'Leave it out, or copy it again.' },
  asset_too_large: {
    exit: 3,
    means: `The file is larger than ${aboutMegabytes(assetLimit)}.`,
    next: 'Save it smaller.',
  },
  asset_type_unsupported: {
    exit: 3,
    means: "The bytes of the file aren't a supported asset type, whatever its name says.",
    next: 'Leave it out.',
  },
  asset_unreadable: { exit: 3, means: "The file can't be read.", next: 'Check its permissions.' },
  file_exists: {
    exit: 7,
    means: 'A file with this name already exists. cs overwrites files only with --overwrite.',
    next: 'Choose another name, or give --overwrite.',
  },
  unsafe_path: {
    exit: 9,
    means:
      "The server's file name leads out of the folder given with --to, so the file was not saved.",
    next: "Don't trust this server; tell its operator.",
  },
  file_not_written: {
    exit: 1,
    means:
      "The file couldn't be written: the folder is missing, permission is denied, or the disk is full. No incomplete file is left.",
    next: 'Choose another place.',
  },
  output_not_written: {
    exit: 1,
    means:
      "The result couldn't be written: the disk is full or failed. Changes made before are stored.",
    next: 'Free some disk space or write somewhere else, and run the command again. After a write, check the result first.',
  },
  pager_failed: {
    exit: 1,
    means: 'The pager failed, so part of the result may not have been shown.',
    next: 'Turn it off with --no-pager, or choose another one in CS_PAGER.',
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
  file_damaged: {
    exit: 9,
    means: "The downloaded bytes don't match the stored file, so it was not saved.",
    next: 'Try again. If it happens again, the operator of the server can check the data with `cs admin check`.',
  },
  file_unreadable: {
    exit: 3,
    means: "A file to send doesn't exist or can't be read.",
    next: 'Check the spelling and the permissions.',
  },
  message_failed: {
    exit: 11,
    means: "The message is stored in the thread but couldn't be delivered.",
    next: "Correct the recipient's address, then send it again.",
  },
  file_unusable: {
    exit: [1, 2, 6],
    means: "A backup file can't be read or written.",
    next: 'Check the path.',
  },
} as const satisfies Record<string, CodeInfo>;

/** Sync, watch, export and import, and input texts. */
export const bulkCodes = {
  invalid_csv: {
    exit: 3,
    means: "The file isn't valid CSV. Most often a closing quote is missing.",
    next: 'Save it again as CSV in UTF-8. Inside a quoted cell, write a quote twice.',
  },
  invalid_xlsx: {
    exit: 3,
    means:
      "The file isn't a readable .xlsx spreadsheet, is too large for one, or lacks the sheet of --sheet. Nothing was sent.",
    next: 'Save it again as .xlsx, without a password, or save the sheet as CSV in UTF-8.',
  },
  wrong_encoding: {
    exit: 3,
    means:
      "The text isn't in its encoding (default: UTF-8). Nothing was sent, since wrong characters would have been stored.",
    next: 'Save it as UTF-8. `cs import` also has --encoding: windows-1252 for files of spreadsheet programs in Europe, latin1, utf-16.',
  },
  not_text: {
    exit: 3,
    means: "The file is compressed, an archive or a spreadsheet, so it isn't text.",
    next: 'Unpack it first, or save the sheet as CSV in UTF-8.',
  },
  unknown_columns: {
    exit: 3,
    means: "Columns of the CSV file aren't fields of the resource. Nothing was sent.",
    next: 'Rename or remove them. `cs schema RESOURCE create` shows the fields.',
  },
  folder_unusable: {
    exit: [1, 2],
    means: "The folder can't be created or written.",
    next: 'Choose another one with --to.',
  },
  folder_in_use: {
    exit: 7,
    means: 'Another run is using the same folder.',
    next: 'Wait for it to end, or choose another folder.',
  },
  file_changed: {
    exit: 7,
    means:
      'A file or table of a mirror was changed since the last run of `cs sync`: its count or checksum differs from the stored one, or the file is missing.',
    next: 'Run `cs sync` as the hint shows: it reads every record again and replaces the file or table.',
  },
  mirror_in_use: {
    exit: 7,
    means: 'Another run of `cs sync`, or another program, is writing the database of the mirror.',
    next: 'Wait for it to end, or choose another file with --to.',
  },
  mirror_damaged: {
    exit: 7,
    means:
      "The database of a mirror is damaged, so cs doesn't trust its records. `cs sync` moves it aside and starts no new one by itself.",
    next: 'Run `cs sync` again to read everything into a new file. Keep or delete the damaged one.',
  },
  server_older: {
    exit: 7,
    means:
      'A record of the server has an earlier time of change than in the mirror. The server was restored from a backup, or another server now has its address.',
    next: 'Check the server. Then refresh the mirror with `cs sync` and --full, as the hint shows.',
  },
  other_origin: {
    exit: 7,
    means:
      'The mirror contains records of another server or team, or the same command was begun with another key or address and is unfinished. cs never mixes two.',
    next: 'Choose another place with --to. An unfinished command: finish it with the command in the hint, or forget it with `cs pending discard`.',
  },
  no_ids: {
    exit: 9,
    means: "The server gives these records no id, so cs can't match them between runs.",
    next: 'Read them with `list` instead.',
  },
  state_unusable: {
    exit: 7,
    means: "A file with a position or a mirror can't be read, or wasn't written by this command.",
    next: 'Choose another file. Delete a file of --state to start over.',
  },
  state_damaged: {
    exit: 7,
    means:
      'The file with the position of a watch or of Singer messages, the state of a mirror or the rows that an import sent is damaged, so cs forgets nothing by itself.',
    next: 'Where the file was moved aside, the message has its new name. The hint says what the next run reads.',
  },
  other_watch: {
    exit: 7,
    means: 'The file of --state belongs to a watch of other records or with other filters.',
    next: 'Give each watch its own file with --state.',
  },
  exec_failed: {
    exit: 11,
    means:
      'The command of `cs watch --exec` failed three times for a change. This change and those after it are not done.',
    next: 'Fix the command and run it again with the same --state.',
  },
  jq_memory: {
    exit: 2,
    means: 'The result is too large for one jq run. The limit is about 100,000 records.',
    next: 'Add -o ndjson: then the program runs once for each record, however many there are.',
  },
} as const satisfies Record<string, CodeInfo>;
