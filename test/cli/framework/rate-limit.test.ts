/** Several `cs` processes with one key, at a service with a low rate limit. */
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { builtCs } from '../../helpers/built.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';

// 24 requests at once are five times the burst.
const service = await testService({ rateLimits: { requestsPerMinute: 600, burst: 5 } });

/** A key with a limit of its own. */
async function newKey() {
  const { key } = await service.newTeam();
  const state = join(service.data, `state-${key.slice(4, 10)}`);
  return {
    make: facility(service, key),
    state,
    env: { CS_BASE_URL: service.url, CS_API_KEY: key, CS_STATE_DIR: state },
  };
}

function importing(word: string, count: number, env: Record<string, string>) {
  const rows = Array.from({ length: count }, (_, n) =>
    JSON.stringify({ firstName: word, lastName: `${word} ${n}` }),
  );
  // One of several may be refused more often than the default of three.
  return builtCs(['import', 'customers', '-', '--parallel', '8', '--retries', '20'], {
    input: rows.join('\n'),
    env,
  });
}

const stored = async (firstName: string) =>
  (
    await service.admin.database.read
      .selectFrom('customers')
      .select('id')
      .where('firstName', '=', firstName)
      .execute()
  ).length;

test('three imports with eight parallel requests each: no row is refused for the limit', async () => {
  const { env } = await newKey();
  const words = ['one', 'two', 'three'];
  const results = await Promise.all(words.map((word) => importing(word, 16, env)));
  expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  for (const { stdout } of results)
    expect(JSON.parse(String(stdout)).map(({ did }: { did: string }) => did)).toEqual(
      Array(16).fill('created'),
    );
  expect(await Promise.all(words.map(stored))).toEqual([16, 16, 16]);
});

test('a command at the counter ends before the import that was there first', async () => {
  const { env, make } = await newKey();
  const [car, spot] = [
    await make.car({ licensePlate: 'HH-FIRST 1' }),
    await make.spot((await make.location()).id),
  ];
  await make.event(car.id, { parkingSpotId: spot.id });
  // Longer than any pick-up: it is ended after it.
  const running = importing('busy', 3_000, env);
  let ended = false;
  void running.then(() => {
    ended = true;
  });
  await vi.waitFor(async () => expect(await stored('busy')).toBeGreaterThan(5), {
    timeout: 60_000,
    interval: 20,
  });
  const pickup = await builtCs(['pickup', 'HH-FIRST 1', '--yes'], { env });
  expect([pickup.exitCode, ended]).toEqual([0, false]);
  running.kill('SIGKILL');
  await running;
});
