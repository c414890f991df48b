/** Backups taken while photos and events come and go. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { base64Of, facility, png } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { startTestService } from '../../../helpers/service.ts';

let folder: string;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => removeFolder(folder));

const restore = (backup: string, data: string) => cs(['admin', 'restore', backup, '--data', data]);
const check = (data: string) => cs(['admin', 'check', '--data', data]);

test('each backup is consistent while others write', async () => {
  const busy = await startTestService();
  const { photo, car, event, location, spot } = facility(busy);
  const hall = await location();
  const cars = [await car(), await car(), await car()];
  const spots = [await spot(hall.id), await spot(hall.id), await spot(hall.id)];
  /** Comes and goes, up to a bound: more would only make each backup larger than the one before. */
  const work = (round: number) =>
    Promise.all(
      cars.map(async ({ id }, n) => {
        for (let turn = 0; turn < 12; turn += 1) {
          const seed = (round * 3 + n) * 100 + turn;
          const { sessionId } = await event(id, { parkingSpotId: spots[n]?.id });
          const kept = await photo(id, { sessionId, base64: base64Of(png(seed, 30_000)) });
          await photo(id, { sessionId, base64: base64Of(png(500_000 + seed, 30_000)) });
          await event(id, { activityType: 'pick_up' });
          if (turn % 2 === 0) await busy.call('DELETE', `/cars/${id}/photos/${kept.id}`);
        }
      }),
    );
  for (let round = 0; round < 4; round += 1) {
    const acknowledged = await photo(cars[0]?.id as string, {
      base64: base64Of(png(900_000 + round, 1_000)),
    });
    const [backup, data] = [join(folder, 'backup'), join(folder, `${round}`)];
    const atWork = work(round);
    expect(await cs(['admin', 'backup', backup, '--data', busy.data])).toMatchObject({
      code: 0,
      json: { missing: [], damaged: [] },
    });
    // While it is at work too: nothing under way is taken for a fault.
    expect(await check(busy.data)).toMatchObject({ code: 0, json: { ok: true, findings: [] } });
    await atWork;
    expect(await restore(backup, data)).toMatchObject({
      code: 0,
      json: { missing: [], damaged: [] },
    });
    expect(await check(data)).toMatchObject({ code: 0, json: { ok: true, findings: [] } });
    const db = new DatabaseSync(join(data, 'cs.sqlite'), { readOnly: true });
    expect(db.prepare('select id from "carPhotos" where id = ?').all(acknowledged.id)).toHaveLength(
      1,
    );
    db.close();
  }
  await busy.close();
});
