import { afterEach, expect, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { json, type MisbehavingServer, startMisbehavingServer } from '../../helpers/misbehaving-server.ts';

let server: MisbehavingServer;
afterEach(() => server.close());

/** A server that answers `GET /cars/17` with the car of this id. */
async function update(id: number) {
  server = await startMisbehavingServer(({ url, method }) => {
    if (method === 'PATCH') return json(200, { data: { id: 17 } });
    return url.includes('/cars/') ? json(200, { data: { id, make: 'Audi' } }) : json(200, { data: [], page: 1, limit: 20, total: 0 });
  });
  const { code } = await cs(['cars', 'update', '17', '--notes', 'x'], { env: { CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b' } });
  return { code, written: server.requests.flatMap(({ method, url }) => (method === 'GET' ? [] : [url])) };
}

test('an id that is a number names its record', async () => {
  expect(await update(17)).toEqual({ code: 0, written: ['/api/v1/cars/17'] });
});

test('another record than that of the id is not it, and nothing is written', async () => {
  expect(await update(4)).toEqual({ code: 6, written: [] });
});
