/** Photos from a phone: a real browser with a phone's viewport and network, and the counter on a pseudo-terminal. */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { devices } from 'playwright-core';
import { launchChromium } from '../helpers/chromium.ts';
import { startTerminal, type Terminal } from '../helpers/pseudo-terminal.ts';
import { readCode } from '../helpers/read-code.ts';
import { type Figure, memory } from './figures.ts';
import { environmentFor, noise } from './photos.ts';

interface PhoneOptions {
  readonly folder: string;
  readonly url: string;
  readonly key: string;
  readonly carId: string;
}

/** A local network of 100 Mbit/s, in bytes a second. */
const speed = 12_500_000;

/** `count` photos of 5 MB. */
export async function measurePhone(
  count: number,
  { folder, url, key, carId }: PhoneOptions,
): Promise<Figure[]> {
  const shots = join(folder, 'phone-shots');
  await mkdir(shots);
  const image = await noise(2650, 1990, 97);
  const files = Array.from({ length: count }, (_, n) => join(shots, `IMG_${n}.jpeg`));
  for (const file of files) await writeFile(file, Buffer.concat([image, randomBytes(16)]));
  const env = {
    ...environmentFor({ folder, url, key }),
    CS_PHONE_ADDRESS: '127.0.0.1',
    NODE_OPTIONS: `--import=${new URL('tell-memory.mjs', import.meta.url).href}`,
  };
  const counter = startTerminal(['cars', 'photos', 'add', carId, '--phone'], {
    env,
    rows: 50,
    patienceMs: 120_000,
  });
  const browser = await launchChromium();
  try {
    const context = await browser.newContext(devices['iPhone 13']);
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 2,
      downloadThroughput: speed,
      uploadThroughput: speed,
    });
    await page.goto(await scan(counter));
    await page.locator('#actions').waitFor();
    const begun = performance.now();
    await page.setInputFiles('#library', files);
    await page.getByText(`${count} of ${count} are at the counter.`).waitFor({ timeout: 120_000 });
    const ms = performance.now() - begun;
    counter.press('enter');
    if ((await counter.exited) !== 0) throw new Error(counter.screen());
    const told = counter
      .raw()
      .match(/ \d{5,}/g)
      ?.at(-1);
    return [
      {
        // From the choice of the photos until the phone says that the counter has them all.
        name: `${count} photos of 5 MB from a phone at 100 Mbit/s`,
        ours: ms,
        unit: 'ms',
        target: { below: 15_000 },
      },
      memory('memory of the counter at its most', Number(told) * 1024, 250),
    ];
  } finally {
    await browser.close();
    counter.close();
  }
}

async function scan(counter: Terminal): Promise<string> {
  let url: string | undefined;
  await counter.waitFor(() => {
    url = readCode(counter.cells());
    return url !== undefined;
  });
  return url as string;
}
