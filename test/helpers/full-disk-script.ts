/** Runs on a separate small disk: serves a folder there, fills the disk, frees space again, and prints the answers of the service. */
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startService } from '../../src/service/start.ts';

const [, , disk = ''] = process.argv;
const data = join(disk, 'data');
const filling = join(disk, 'filling');

function fill(): void {
  for (const size of [1 << 20, 1 << 12, 1]) {
    try {
      for (;;) writeFileSync(filling, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

/** Truncates the log of the database: writes that fit into its old size would need no new space. */
function emptyLog(): void {
  const db = new DatabaseSync(join(data, 'cs.sqlite'));
  db.exec('pragma wal_checkpoint(truncate)');
  db.close();
}

const service = await startService({ data, port: 0, rateLimits: false });
const ask = async () => {
  const answer = await fetch(`${service.url}/readyz`);
  return { status: answer.status, body: await answer.json() };
};
const answers = [await ask()];
emptyLog();
fill();
answers.push(await ask());
await rm(filling);
answers.push(await ask());
await service.close();
process.stdout.write(JSON.stringify(answers));
