/** Codes of what works on the service's data: serve and admin. */
import { ends } from './command-code.ts';

export const dataCodes = {
  no_data: ends(6, 'The folder holds no data of the service yet.', 'Start it once with `cs serve`, or name the right folder with --data.'),
  data_in_use: ends(7, 'A service is running on this data folder.', 'Talk to it instead, or stop it first.'),
  data_newer: ends(7, 'The data was written by a newer version, which this one would damage.', 'Install the newer version.'),
  data_unusable: ends([1, 2], 'The data folder cannot be read or written.', 'Choose another folder with --data, or mend its permissions.'),
  database_unavailable: ends(
    2,
    'The PostgreSQL cannot be reached, or lets nobody in with this address.',
    'Check that it runs, and the address in --database or CS_DATABASE.',
  ),
  database_unsafe: ends(
    7,
    "Row-level security doesn't keep teams apart: the role of requests bypasses it, or a table lost its policy. Nothing is served.",
    'Take superuser and bypassrls from the role, and restore the policies.',
  ),
  folder_not_empty: ends(
    7,
    'The folder to restore into holds something, and a backup replaces nothing.',
    'Choose an empty folder with --data.',
  ),
  restore_unfinished: ends(
    7,
    'A restore into this folder was cut off, or is at work. Its data is not whole, so nothing opens it.',
    'Wait for it, or run the restore again: it begins from the start.',
  ),
  data_damaged: ends(
    3,
    'The database of the data folder is damaged or missing, or holds what cs did not make. A backup of it could not be restored, so none is written.',
    '`cs admin check` tells more. Restore the latest whole backup into another folder.',
  ),
  backup_damaged: ends(3, "The file is damaged, or isn't a backup that cs made. Nothing was restored.", 'Restore another backup.'),
  parcel_under_way: ends(7, 'What is to be sent again is being sent at this moment.', 'Wait for it to end, then look again.'),
  port_in_use: ends(7, 'Another program listens on the port.', 'Choose another: `cs serve --port 0` takes any free one.'),
  cannot_listen: ends(
    2,
    'The address or the port cannot be listened on by you.',
    'Give another --host or --port; ports below 1024 are for the system.',
  ),
  demo_changed: ends(7, "The demo's data was changed, so that its steps no longer fit.", 'Begin anew; the hint has the command.'),
  demo_full: ends(7, 'The demo has no place left for another car.', 'Begin anew; the hint has the command.'),
};
