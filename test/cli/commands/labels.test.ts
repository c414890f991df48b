/** `cs labels`: the sizes of the sheets, and which labels are on them. What the codes hold: test/browser/labels.test.ts. */
import { readFile } from 'node:fs/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { startFaultyProxy } from '../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService();
const make = facility(service);
const cwd = await makeFolder();
afterAll(() => removeFolder(cwd));

const { id: locationId } = await make.location({ name: 'Main' });
const hall = await make.zone(locationId, { name: 'Hall' });
for (let n = 22; n > 0; n -= 1)
  await make.spot(locationId, { name: `A${n}`, ...(n === 2 && { zoneId: hall.id }) });
const car = await make.car({ licensePlate: 'HH-L 1', year: 1973, make: 'Porsche', model: '911' });
await make.assignment({ carId: car.id, parkingZoneId: hall.id });

const labels = (...line: string[]) => labelsOf({}, ...line);
async function labelsOf(env: Record<string, string>, ...line: string[]) {
  const { code, json } = await cs(['labels', ...line, '--overwrite'], {
    env: { CS_BASE_URL: service.url, CS_API_KEY: service.key, ...env },
    cwd,
  });
  const html = await readFile(json.file, 'utf8');
  return {
    result: [code, json.labels, json.pages, json.codes],
    sheets: html.split('<section>').length - 1,
    style: html.match(/^(@page|body|section|svg) \{.*/gm)?.join('\n'),
    texts: Array.from(html.matchAll(/<b style="([^"]*)">(.*?)<\/b>(.*?)<\/p>/g), ([, ...parts]) =>
      parts.join(' | '),
    ),
  };
}

test('spots in natural order, on as many sheets as they need', async () => {
  const { result, sheets, texts, style } = await labels('spots');
  expect([result, sheets]).toEqual([[0, 22, 2, 'id'], 2]);
  expect([texts[0], texts[1], texts[21]]).toMatchInlineSnapshot(`
    [
      "font-size:15.24mm | A1 | Main",
      "font-size:15.24mm | A2 | Hall · Main",
      "font-size:12.41mm | A22 | Main",
    ]
  `);
  expect(style).toMatchInlineSnapshot(`
    "@page { size: 210mm 297mm; margin: 0 }
    body { font: 3mm/1.2 system-ui, sans-serif; color: #000; background: #fff }
    section { width: 210mm; height: 297mm; padding: 15.15mm 0 0 7.25mm; overflow: hidden; break-after: page; display: grid; grid-template: repeat(7, 38.1mm) / repeat(3, 63.5mm); column-gap: 2.5mm }
    svg { flex: none; width: 28.57mm }"
  `);
});

test('the sizes of the other sheets', async () => {
  const line = ['spots', '--zone', 'Hall', '--sheet'];
  expect((await labels(...line, 'L4732')).style).toMatchInlineSnapshot(`
    "@page { size: 210mm 297mm; margin: 0 }
    body { font: 1.9mm/1.2 system-ui, sans-serif; color: #000; background: #fff }
    section { width: 210mm; height: 297mm; padding: 13.3mm 0 0 11mm; overflow: hidden; break-after: page; display: grid; grid-template: repeat(16, 16.9mm) / repeat(5, 35.6mm); column-gap: 2.5mm }
    svg { flex: none; width: 12.90mm }"
  `);
  expect((await labels(...line, '62mm')).style).toMatchInlineSnapshot(`
    "@page { size: 62mm 29mm; margin: 0 }
    body { font: 3mm/1.2 system-ui, sans-serif; color: #000; background: #fff }
    section { width: 62mm; height: 29mm; padding: 0mm 0 0 0mm; overflow: hidden; break-after: page; display: grid; grid-template: repeat(1, 29mm) / repeat(1, 62mm); column-gap: 0mm }
    svg { flex: none; width: 25.00mm }"
  `);
});

test('cars, and tags for their keys', async () => {
  const [cars, keys] = [await labels('cars'), await labels('keys')];
  expect([cars.result, keys.result]).toEqual([
    [0, 1, 1, 'address'],
    [0, 1, 1, 'address'],
  ]);
  expect([...cars.texts, ...keys.texts]).toMatchInlineSnapshot(`
    [
      "font-size:6.21mm | HH-L 1 | 1973 Porsche 911",
      "font-size:6.21mm | HH-L 1 | Key · 1973 Porsche 911",
    ]
  `);
});

test('without a dashboard the codes are ids; a key that may not read locations leaves them out', async () => {
  const lacks = ({ url }: { url: string }) => url.startsWith('/dashboard');
  const proxy = await startFaultyProxy(service.url, () => undefined, { lacks });
  onTestFinished(() => proxy.close());
  const { result } = await labelsOf({ CS_BASE_URL: proxy.url }, 'cars');
  expect(result).toEqual([0, 1, 1, 'id']);
  const key = await service.keyWith(['read:parking']);
  const { texts } = await labelsOf({ CS_API_KEY: key }, 'spots', '--zone', 'Hall');
  expect(texts).toEqual([expect.stringMatching(/ A2 \| Hall$/)]);
});
