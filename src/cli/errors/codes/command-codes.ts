/** Every code of the command and its client: what they find themselves, without an answer of the service that says it. */
import { bulkCodes } from './bulk-codes.ts';
import { type CommandCode, ends } from './command-code.ts';
import { connectionCodes } from './connection-codes.ts';
import { dataCodes } from './data-codes.ts';

const commandLine = {
  usage: ends(
    2,
    'The command line cannot be understood, or lacks a value that only a person could be asked for.',
    'The hint says what to write; `--help` after any command shows all that it takes.',
  ),
  declined: ends(13, 'A question was answered with no, so nothing was done.', 'Run it again and answer yes, or give --yes.'),
  interrupted: ends(
    [130, 143],
    'Ctrl-C, or a signal, stopped the command. What was finished before stays.',
    'Run it again. A drop-off tells which command sends what is missing.',
  ),
  ambiguous_name: ends(
    14,
    'Several records are called so. A script is never given one of them by chance.',
    'Give the id of the one that is meant; the error lists them.',
  ),
  partial: ends(
    11,
    'Some of several items failed and the others were done. The result lists each.',
    'Mend what the failed ones name, and run it again for those.',
  ),
  not_tried: ends(
    11,
    'This item was left alone, because what stopped the one before it would have stopped it as well.',
    'Mend that, and run it again.',
  ),
  unexpected: ends(
    1,
    'Something happened that this program does not know: most likely a fault of its own.',
    'Run it again with -v to see where, and report it.',
  ),
};

const files = {
  photo_not_found: ends(3, 'There is no such file, or a folder or pattern holds no photo.', 'Check the spelling and the folder.'),
  photo_unreadable: ends(
    3,
    'The file is there and the system does not let you read it.',
    'Check its permissions, or copy it somewhere else.',
  ),
  photo_is_directory: ends(3, 'A folder was named where one photo was meant.', 'Name the photos in it, such as shots/*.jpg.'),
  photo_empty: ends(3, 'The file has no bytes: most likely a copy that was cut off.', 'Copy it from the camera again.'),
  photo_not_a_photo: ends(
    3,
    'The bytes are of no type that the service takes, whatever the name says.',
    'Save it as JPEG, PNG, WebP, HEIC, AVIF or GIF.',
  ),
  photo_damaged: ends(
    [3, 9],
    'The photo is cut short or cannot be decoded; or, on a download, what came is not what the service stored.',
    'Copy it again; a download can simply be repeated.',
  ),
  photo_too_many_pixels: ends(3, 'The photo has more pixels than can be decoded safely.', 'Make it smaller with another program first.'),
  photo_cannot_shrink: ends(
    3,
    'The photo is above 3 MiB and of a kind that cannot be made smaller here, such as HEIC or an animation.',
    'Save it as JPEG, or set the camera to write JPEG.',
  ),
  photo_location_stuck: ends(
    3,
    'Where the photo was taken could not be removed from it, and it is not sent with it unasked.',
    'Save it anew with another program, or send it as it is with --keep-location.',
  ),
  photos_unusable: ends(
    3,
    'Several of the photos cannot be sent, each for its own reason. Nothing was done yet.',
    'Mend or leave out those that are named.',
  ),
  file_exists: ends(
    7,
    'There is a file of that name already, and nothing is ever overwritten unasked.',
    'Give another name, or --overwrite.',
  ),
  unsafe_path: ends(
    9,
    'The name of a file leads out of the folder that --to names, so the file was not saved.',
    'Do not trust this server; tell whoever runs it.',
  ),
  file_not_written: ends(
    1,
    'The file could not be written: no such folder, no permission, or the disk is full. Nothing half-written is left.',
    'Give another place.',
  ),
  output_not_written: ends(
    1,
    'What the command found could not be written to where its output goes: the disk is full, or fails. What it did before is done.',
    'Make room or write somewhere else. Look before you do a write again: it may have been carried out.',
  ),
  pager_failed: ends(
    1,
    'The pager ended with a failure, so nobody knows how much of the result it showed.',
    'Leave it out with --no-pager, or name another one in CS_PAGER.',
  ),
  stored_not_printed: ends(
    15,
    'The command did what it was asked to, but its result could not be printed: --jq failed, or the output could not be written.',
    "Don't run it again: what is stored is listed with its id, and `cs api` shows it.",
  ),
  deleted_since: ends(
    [7, 11],
    'An earlier run with the same idempotency key stored the record, and it has been deleted since. Nothing new was stored.',
    'Give another --idempotency-key; for `cs import`, give --again.',
  ),
  file_damaged: ends(
    9,
    'What came is not what the service stored, so it was not kept.',
    'Try again; if it stays, whoever runs the service can look with `cs admin check`.',
  ),
  file_unreadable: ends(3, 'A file that is to be sent is not there, or may not be read.', 'Check the spelling and the permissions.'),
  message_failed: ends(
    11,
    'The message is stored in the thread, but could not be handed over to whom it is for.',
    'Put right what is wrong with the address, then send it again.',
  ),
  file_unusable: ends([1, 2, 6], 'A file of the backup cannot be read or written.', 'Check the path.'),
};

const counter = {
  car_not_here: ends(
    7,
    'The car does not stand here, so it can be neither handed out nor moved. The service would write it down all the same.',
    'See what became of it: `cs cars events list CAR`.',
  ),
  event_type_keeps_parking: ends(
    3,
    'Events of this type do not free the place of the car, so they are no pick-up.',
    'Log it with `cs cars events log CAR`, or choose a type that frees the place: `cs event-types list`.',
  ),
  no_car_here: ends(6, 'No car of that name stands here.', 'See which do: `cs cars list --status stored`.'),
  no_event_type: ends(6, 'No event type in use does this.', 'See those that there are: `cs event-types list`.'),
  no_parking: ends(6, 'The facility has neither spots nor zones yet.', 'Add one: `cs parking spots create`.'),
  no_parking_free: ends(7, 'Every spot is taken and every zone is full.', 'See who stands where: `cs board`.'),
};

/** By family, in the order in which people meet them. */
export const commandCodes: Readonly<Record<string, CommandCode>> = {
  ...commandLine,
  ...connectionCodes,
  ...files,
  ...bulkCodes,
  ...counter,
  ...dataCodes,
};
