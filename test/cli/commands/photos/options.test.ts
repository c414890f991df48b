import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { counterOfFile, folderWith, intoSpot, jpeg } from '../counter/counter.ts';

const counter = counterOfFile();
test('a photo that changes during the command is not sent, and the command to send it has the flags', async () => {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const line = ['dropoff', ...intoSpot(car.id, spot.id), '--yes'];
  const cwd = await folderWith({ 'a.jpg': await jpeg(200, 150) });
  const proxy = await startFaultyProxy(counter.service.url, async ({ method, url }) => {
    if (method === 'POST' && url.endsWith('/events')) await appendFile(join(cwd, 'a.jpg'), 'more');
    return undefined;
  });
  onTestFinished(() => proxy.close());
  const result = await cs([...line, '--photo', 'a.jpg', '--no-resize'], {
    cwd,
    env: counter.env(undefined, proxy.url),
  });
  expect([result.code, result.json.photos[0].error.code]).toEqual([11, 'invalid_file']);
  expect(result.error.hint).toContain(' --no-resize a.jpg');
  expect((await counter.storedOf(car.id)).photos).toEqual([]);
});
