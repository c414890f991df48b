/** The typed client as it is installed, against a loop over undici in the same process. The processor time counts, since the machine may be busy. */
import { Client as Undici } from 'undici';
import { startPages } from './command.ts';
import { markdownTable } from './words.ts';

interface Compared {
  readonly name: string;
  /** Milliseconds of the processor for one record, or one page. */
  readonly ours: number;
  readonly floor: number;
}

const most = 1.3;
const total = 20_000;

export async function measureClient(rounds: number): Promise<Compared[]> {
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
  const found: Compared[] = [];
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
    found.push({ name, ours: median(spent.ours), floor: median(spent.floor) });
  }
  await client.close();
  await plain.close();
  server.stop();
  return found;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] as number;

export const clientTable = (compared: readonly Compared[]): string =>
  markdownTable([
    ['typed client, time of the processor', 'ours', 'loop over undici', 'ratio', 'target', ''],
    ...compared.map(({ name, ours, floor }) => [
      name,
      `${ours.toFixed(3)} ms`,
      `${floor.toFixed(3)} ms`,
      (ours / floor).toFixed(2),
      `at most ${most}`,
      ours / floor <= most ? 'ok' : '**short**',
    ]),
  ]);
