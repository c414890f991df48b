/**
 * Restores or makes a backup, and is killed before a given call of the file system: a killed process can't clean up.
 * Without a number it waits for a line on stdin, and is killed from outside or finishes. It prints "ready" before it begins.
 */
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { backUp } from '../../src/service/backup/backup.ts';
import { restore } from '../../src/service/backup/restore.ts';
import { recordingFileSystem } from './recording-file-system.ts';

const [, , task, folder = '', data = '', at] = process.argv;
const crashAt = at === undefined ? undefined : Number(at);
const fs = recordingFileSystem({
  crashAt,
  crash: () => process.kill(process.pid, 'SIGKILL') as never,
});
// Now, since it is killed.
flushCompileCache();
process.stdout.write('ready\n');
if (crashAt === undefined) await once(process.stdin, 'data');
process.stdin.destroy();
await (task === 'backup' ? backUp : restore)({ folder, data, fs });
