/** The typed client as it is installed, against a loop over undici in the same process. The processor time counts, since the machine may be busy. */
import { Client as Undici } from 'undici';
import { startPages } from './command.ts';
import { type Figure, median, time } from './figures.ts';

const most = 1.3;
const total = 20_000;

export async function measureClient(rounds: number): Promise<Figure[]> {
  const { createClient } = (await import(
    new URL('../../dist/client/client.js', import.meta.url).href
  )) as typeof import('../../src/client/client.ts');
  const server = await startPages(total);
  const key = 'csk_a.b';
  const client = createClient({ baseUrl: server.url, key });
  const plain = new Undici(server.url);
  const ask = async (path: string) => {
    const headers = { 'x-api-key': key };
    const { body } = await plain.request({ method: 'GET', path: `/api/v1${path}`, headers });
    return (await body.json()) as { data: { id: string }[]; total: number };
  };
  const id = (await ask('/cars?limit=1')).data[0]?.id as string;
  const works = {
    'a list of 20,000, 200 in a request': {
      times: 100,
      async ours() {
        for await (const _ of client.cars.all().pages());
      },
      async floor() {
        for (let page = 1, rest = total; rest > 0; page++, rest -= 200)
          await ask(`/cars?limit=200&page=${page}`);
      },
    },
    'get, one after the other': {
      times: 1_000,
      async ours() {
        for (let n = 0; n < 1_000; n++) await client.cars.get(id);
      },
      async floor() {
        for (let n = 0; n < 1_000; n++) await ask(`/cars/${id}`);
      },
    },
  };
  const found: Figure[] = [];
  for (const [name, { times, ours, floor }] of Object.entries(works)) {
    const spent = { ours: [] as number[], floor: [] as number[] };
    for (let round = 0; round < rounds; round++)
      for (const [side, work] of [
        ['ours', ours],
        ['floor', floor],
      ] as const) {
        const before = process.cpuUsage();
        await work();
        const { user, system } = process.cpuUsage(before);
        // The first two rounds warm up.
        if (round > 1) spent[side].push((user + system) / 1000 / times);
      }
    found.push(
      time(
        `typed client, ${name}, processor time`,
        { ours: median(spent.ours), other: median(spent.floor) },
        { than: 'loop over undici', target: { most } },
      ),
    );
  }
  await client.close();
  await plain.close();
  server.stop();
  return found;
}
