/**
 * Restores a backup, or makes one, and is killed before the call of the file system that it is told: a process cannot tidy up after that.
 * Without a number it waits for a line on stdin and is killed from outside, or comes to its end. It says "ready" before it begins.
 */
import { once } from 'node:events';
import { backUp } from '../../src/service/backup/backup.ts';
import { restore } from '../../src/service/backup/restore.ts';
import { recordingFileSystem } from './recording-file-system.ts';

const [, , task, file = '', data = '', at] = process.argv;
const crashAt = at === undefined ? undefined : Number(at);
const fs = recordingFileSystem({ crashAt, crash: () => process.kill(process.pid, 'SIGKILL') as never });
process.stdout.write('ready\n');
if (crashAt === undefined) await once(process.stdin, 'data');
process.stdin.destroy();
await (task === 'backup' ? backUp : restore)({ file, data, fs });
