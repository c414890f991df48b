/** Run on a small disk of its own: serves a folder there, fills the disk, makes room again, and prints what the service answered each time. */
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

/** The log of the database keeps its size, and what fits into it needs no room. */
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
