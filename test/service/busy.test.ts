/** What a lock that another process holds on the database does to the service. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test, vi } from 'vitest';
import { type Answer, testService } from '../helpers/service.ts';

/** Time stands still, so a lock is waited for however slow the machine is. */
vi.useFakeTimers({ toFake: ['Date'] });
afterAll(() => vi.useRealTimers());

const service = await testService();
const total = async (): Promise<number> => (await service.call('GET', '/cars')).body.total;

test('a write waits for the lock while other requests continue, and runs once the lock is free', async () => {
  const before = await total();
  const other = new DatabaseSync(join(service.data, 'cs.sqlite'));
  other.exec('begin immediate');
  let written = false;
  const write = service
    .call('POST', '/cars', { year: 1990, make: 'Audi', model: 'V8' })
    .then((answer) => {
      written = true;
      return answer;
    });
  // Each of these takes its turn on the event loop, which a lock that is waited for in SQLite would hold.
  for (let times = 0; times < 3; times += 1) expect(await total()).toBe(before);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect(written).toBe(false);
  other.exec('rollback');
  other.close();
  expect((await write).status).toBe(201);
  expect(await total()).toBe(before + 1);
});

test('a lock that is never released ends in a 503 problem', async () => {
  const before = await total();
  const other = new DatabaseSync(join(service.data, 'cs.sqlite'));
  other.exec('begin immediate');
  let answer: Answer | undefined;
  void service.call('POST', '/cars', { year: 1991, make: 'Audi', model: 'V8' }).then((given) => {
    answer = given;
  });
  while (!answer) {
    vi.setSystemTime(Date.now() + 1000);
    await total();
  }
  other.exec('rollback');
  other.close();
  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', details: null } });
  expect(await total()).toBe(before);
});
