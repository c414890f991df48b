/** Restores a backup, or makes one, and is killed before the call of the file system that it is told: a process cannot tidy up after that. */
import { backUp } from '../../src/service/backup/backup.ts';
import { restore } from '../../src/service/backup/restore.ts';
import { recordingFileSystem } from './recording-file-system.ts';

const [, , task, file = '', data = '', at] = process.argv;
const fs = recordingFileSystem({ crashAt: Number(at), crash: () => process.kill(process.pid, 'SIGKILL') as never });
await (task === 'backup' ? backUp : restore)({ file, data, fs });
