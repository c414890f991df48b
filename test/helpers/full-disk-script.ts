/** Runs on a separate small disk: serves a folder there, fills the disk, frees space again, and prints the answers of the service. */
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { base64Of, facility, png } from './facility.ts';
import { startTestService } from './service.ts';

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

const service = await startTestService({ data, logger: undefined });
const ready = async () => {
  const answer = await fetch(`${service.url}/readyz`);
  return [answer.status, await answer.json()];
};
const car = await facility(service).car();
const call = async (...given: Parameters<typeof service.call>) => {
  const { status, body } = await service.call(...given);
  return [status, body.code ?? null, body.error ?? null];
};
const newCar = { year: 2000, make: 'Full', model: 'Disk' };
const write = async () => ({
  one: await call('POST', '/cars', newCar),
  // These share a commit.
  together: await Promise.all([1, 2, 3].map(() => call('POST', '/cars', newCar))),
  change: await call('PATCH', `/cars/${car.id}`, { notes: 'x'.repeat(9_000) }),
  photo: await call('POST', `/cars/${car.id}/photos`, { base64: base64Of(png(1, 300_000)) }),
  read: await call('GET', `/cars/${car.id}`),
  ready: await ready(),
});
emptyLog();
fill();
const full = await write();
await rm(filling);
const { body } = await service.call('GET', '/cars');
const roomy = await write();
await service.stop();
process.stdout.write(JSON.stringify({ full, stored: body.total, roomy }));
