/** What the log tells of a sourceUrl that was not fetched, and the answer does not. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { createLog } from '../../src/service/log.ts';
import { facility } from '../helpers/facility.ts';
import { startTestService } from '../helpers/service.ts';

const lines: string[] = [];
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});
const other = createServer((request, response) => {
  if (request.url?.startsWith('/on'))
    response.writeHead(302, { location: '/gone?token=secret' }).end();
  else response.writeHead(404).end();
});
await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
const { port } = other.address() as AddressInfo;
const service = await startTestService({
  logger: createLog({ level: 'info', stream, pretty: false }),
  source: { allowHttp: true, allowPrivate: ['127.0.0.1'], ports: [port] },
});
afterAll(async () => {
  await service.close();
  await new Promise((done) => other.close(done));
});
const car = await facility(service).car();

test.each([
  [
    'source_url_failed',
    'answers otherwise',
    `http://127.0.0.1:${port}/a.png?token=secret`,
    `http://127.0.0.1:${port}/a.png`,
    /status 404/,
  ],
  [
    'source_url_failed',
    'sends on to it',
    `http://127.0.0.1:${port}/on?token=secret`,
    `http://127.0.0.1:${port}/gone`,
    /status 404/,
  ],
  [
    'source_url_blocked',
    'has a user',
    `http://secret:secret@127.0.0.1:${port}/a.png`,
    `http://127.0.0.1:${port}/a.png`,
    /user name/,
  ],
])('%s: what %s, at info, without what opens it', async (code, _name, sourceUrl, url, cause) => {
  lines.length = 0;
  const answer = await service.call('POST', `/cars/${car.id}/photos`, { sourceUrl });
  expect(answer.body.code).toBe(code);
  const told = lines.map((line) => JSON.parse(line)).filter(({ code: logged }) => logged);
  expect(told).toMatchObject([
    {
      level: 30,
      code,
      url,
      cause: expect.stringMatching(cause),
      reqId: answer.headers.get('x-request-id'),
      msg: 'sourceUrl not downloaded',
    },
  ]);
  expect(lines.join('')).not.toContain('secret');
});
