/** Photos are prepared while the person answers: after the approval they are only sent. */
import { hash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PhotoFacts, readFacts } from '../../../../src/cli/commands/photos/photo-file.ts';
import {
  prepareAhead,
  summarizePhotos,
  takePrepared,
} from '../../../../src/cli/commands/photos/prepare-ahead.ts';
import type { Context } from '../../../../src/cli/context.ts';
import { createRun } from '../../../../src/cli/terminal/run.ts';
import { photoLimit } from '../../../../src/contract/limits.ts';
import { openTerminal } from '../../../helpers/terminal.ts';
import { type Counter, folderWith, jpeg, openCounter } from '../counter/counter.ts';

let counter: Counter;
/** Above the limit. */
let large: Buffer;
let damaged: Buffer;
beforeAll(async () => {
  counter = await openCounter();
  large = await jpeg(2_400, 1_800);
  // It has its end marker: only a decoder finds what is missing.
  damaged = Buffer.concat([large.subarray(0, large.length * 0.9), large.subarray(-2)]);
});
afterAll(() => counter.service.close());

test('the summary names a photo that fails, and the others need their files no more', async () => {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const cwd = await folderWith({ '1.jpg': large, '2.jpg': damaged });
  const argv = [
    'dropoff',
    car.licensePlate,
    '--spot',
    spot.id,
    '--photo',
    '1.jpg',
    '--photo',
    '2.jpg',
  ];
  const terminal = openTerminal(argv, { env: counter.env(), cwd, rows: 50 });
  await terminal.waitFor('? Notes');
  terminal.press('enter');
  const failed =
    /Photos +2 photos, .* \(2 will be shrunk\)\n +✗ 2\.jpg: is incomplete or damaged: copy it again from the camera/;
  // The summary shows what is known when it is drawn.
  for (
    let shown = await terminal.waitFor('? Store this');
    !failed.test(shown);
    shown = await terminal.waitFor('? Store this')
  ) {
    terminal.type('n\r');
    await terminal.waitFor('? What would you like to change?');
    terminal.press('shift-tab');
    await terminal.waitFor((screen) => !screen.includes('? What would you like'));
  }
  for (const name of ['1.jpg', '2.jpg']) await rm(join(cwd, name));
  terminal.press('enter');
  expect(await terminal.exited).toBe(11);
  const { photos } = await counter.storedOf(car.id);
  expect(photos).toMatchObject([{ filename: '1.jpg' }]);
  expect(photos[0]?.sizeBytes).toBeLessThanOrEqual(photoLimit);
});

describe('in the background', () => {
  const sha256 = (bytes: Buffer) => hash('sha256', bytes);

  async function begin(files: Record<string, Buffer>) {
    const folder = await folderWith(files);
    const context = {
      io: { cwd: '/', run: createRun(), signal: new AbortController().signal },
      interactive: true,
    } as unknown as Context;
    const photos = await Promise.all(
      Object.keys(files).map((name) => readFacts(join(folder, name))),
    );
    prepareAhead(context, photos, {});
    const isDone = (photo: PhotoFacts) => summarizePhotos(context, [photo], {}).length > 1;
    return {
      context,
      photos,
      isDone,
      take: takePrepared(context.io),
      [Symbol.asyncDispose]: async () => context.io.run.stopBackground?.(),
    };
  }

  test('a file that has changed since is prepared again', async () => {
    const [before, after] = [await jpeg(60, 40), await jpeg(80, 40)];
    for (const expectedSha256 of [undefined, sha256(before), sha256(after)]) {
      await using begun = await begin({ 'a.jpg': before, 'z.jpg': damaged });
      const [photo, last] = begun.photos as [PhotoFacts, PhotoFacts];
      await expect.poll(() => begun.isDone(last)).toBe(true);
      await writeFile(photo.path, after);
      const { originalSha256 } = await begun.take(photo.path, { expectedSha256 });
      expect(originalSha256).toBe(expectedSha256 ?? sha256(before));
    }
  });

  test('ends with the command', async () => {
    const [before, after] = [await jpeg(60, 40), await jpeg(80, 40)];
    await using begun = await begin({ 'a.jpg': large, 'b.jpg': before });
    const [first, second] = begun.photos as [PhotoFacts, PhotoFacts];
    begun.context.io.run.stopBackground?.();
    await begun.take(first.path);
    await writeFile(second.path, after);
    expect((await begun.take(second.path)).originalSha256).toBe(sha256(after));
  });

  test('a script sends at once', async () => {
    const [before, after] = [await jpeg(60, 40), await jpeg(80, 40)];
    const folder = await folderWith({ 'a.jpg': before });
    const context = { io: { run: createRun() }, interactive: false } as unknown as Context;
    const photo = await readFacts(join(folder, 'a.jpg'));
    prepareAhead(context, [photo], {});
    await writeFile(photo.path, after);
    expect((await takePrepared(context.io)(photo.path)).originalSha256).toBe(sha256(after));
  });
});
