import { afterEach, describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/contract.ts';
import { operationsOf } from '../../../src/contract/operations.ts';
import { setIntegration } from '../../../src/service/admin.ts';
import type { Caller } from '../../../src/service/context.ts';
import {
  createLimiter,
  defaultLimits,
  type RateLimits,
  unlimited,
} from '../../../src/service/http/rate-limits.ts';
import { ApiProblem } from '../../../src/service/problem.ts';
import { base64Of, facility, png } from '../../helpers/facility.ts';
import { startTestService, type TestService } from '../../helpers/service.ts';

const caller = (keyId: string) => ({ keyId }) as Caller;
const [list] = operationsOf(contract.cars);
const upload = [...operationsOf(contract.carPhotos)].find(({ verb }) => verb === 'create');
if (!list || !upload) throw new Error('The contract has no cars');

/** A limiter with a clock that stands still until it is moved. */
function limiterAt(limits: RateLimits) {
  let time = 1_000;
  const limiter = createLimiter(limits, { now: () => time });
  /** How many times something is let through before it is refused, and the seconds it is told to wait. */
  const until = async (act: () => Promise<void>) => {
    for (let passed = 0; passed < 1_000; passed += 1) {
      try {
        await act();
      } catch (error) {
        expect(error).toBeInstanceOf(ApiProblem);
        return { passed, ...((error as ApiProblem).details as { retryAfter: number }) };
      }
    }
    return { passed: 1_000 };
  };
  const wait = (seconds: number) => {
    time += seconds * 1_000;
  };
  return { limiter, until, wait };
}

describe('the standard', () => {
  test('100 requests at once, then 10 a second', async () => {
    const { limiter, until, wait } = limiterAt(defaultLimits);
    const ask = () => limiter.request(caller('a'), list);
    expect(await until(ask)).toEqual({ passed: 100, retryAfter: 1 });
    wait(1);
    expect(await until(ask)).toEqual({ passed: 10, retryAfter: 1 });
    wait(0.1);
    expect((await until(ask)).passed).toBe(1);
    wait(3_600);
    expect((await until(ask)).passed).toBe(100);
  });

  test('600 evenly spaced requests a minute are never refused', async () => {
    const { limiter, wait } = limiterAt(defaultLimits);
    for (let n = 0; n < 1_200; n += 1, wait(0.1))
      await expect(limiter.request(caller('a'), list)).resolves.toBeUndefined();
  });

  test('answers tell what is left', async () => {
    const { limiter, wait } = limiterAt(defaultLimits);
    expect(limiter.headers(caller('a'), list)).toEqual({
      'ratelimit-policy': '"requests";q=600;w=60',
      ratelimit: '"requests";r=100',
    });
    for (let n = 0; n < 100; n += 1) await limiter.request(caller('a'), list);
    expect(limiter.headers(caller('a'), list)).toMatchObject({ ratelimit: '"requests";r=0' });
    wait(1.05);
    await limiter.request(caller('a'), upload);
    expect(limiter.headers(caller('a'), upload)).toEqual({
      'ratelimit-policy': '"requests";q=600;w=60, "uploads";q=60;w=60',
      ratelimit: '"requests";r=9, "uploads";r=59',
    });
    expect(createLimiter(unlimited).headers(caller('a'), upload)).toEqual({});
  });

  test('60 uploads in a minute', async () => {
    const { limiter, until, wait } = limiterAt(defaultLimits);
    const send = () => limiter.request(caller('a'), upload);
    expect(await until(send)).toEqual({ passed: 60, retryAfter: 1 });
    // The other requests of the key are not held up by it.
    await limiter.request(caller('a'), list);
    wait(5);
    expect((await until(send)).passed).toBe(5);
  });

  test('20 refused keys of an address in a minute', async () => {
    const { limiter, until, wait } = limiterAt(defaultLimits);
    const fail = () => limiter.failedKey('192.0.2.1');
    expect(await until(fail)).toEqual({ passed: 20, retryAfter: 3 });
    await limiter.failedKey('192.0.2.2');
    wait(60);
    expect((await until(fail)).passed).toBe(20);
  });
});

test.each([
  ['another address', '198.51.100.7', '198.51.100.8', false],
  ['the same address, mapped into IPv6', '198.51.100.7', '::ffff:198.51.100.7', true],
  [
    'another address of the same network',
    '2001:db8:1:2::1',
    '2001:db8:1:2:ffff:ffff:ffff:ffff',
    true,
  ],
  ['the same network, written short', '2001:db8::1', '2001:db8:0:0:5::', true],
  ['another network', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
])('refused keys of %s: counted together %#', async (_name, one, other, together) => {
  const { limiter, until } = limiterAt({ ...unlimited, failedKeysPerMinute: 1 });
  await limiter.failedKey(one);
  expect((await until(() => limiter.failedKey(other))).passed).toBe(together ? 0 : 1);
});

test('0 switches the limit off', async () => {
  const { limiter, until } = limiterAt(unlimited);
  expect((await until(() => limiter.request(caller('a'), upload))).passed).toBe(1_000);
  expect((await until(() => limiter.failedKey('192.0.2.1'))).passed).toBe(1_000);
});

test('the wait is 1 to 60 seconds for every limit', async () => {
  const { limiter, until } = limiterAt({ ...unlimited, requestsPerMinute: 0.1, burst: 1 });
  expect(await until(() => limiter.request(caller('a'), list))).toEqual({
    passed: 1,
    retryAfter: 60,
  });
});

test('memory is bounded for any number of names, and busy ones are kept', async () => {
  const { limiter, until, wait } = limiterAt({ ...unlimited, requestsPerMinute: 60, burst: 1 });
  for (let n = 0; n < 9_999; n += 1) await limiter.request(caller(`passing ${n}`), list);
  wait(30);
  await limiter.request(caller('busy'), list);
  for (let n = 0; n < 9_000; n += 1) await limiter.request(caller(`another ${n}`), list);
  expect((await until(() => limiter.request(caller('busy'), list))).passed).toBe(0);
});

describe('over HTTP', () => {
  let service: TestService;
  afterEach(() => service.close());
  const start = async (rateLimits: Partial<RateLimits>) => {
    service = await startTestService({ rateLimits: { ...unlimited, ...rateLimits } });
  };
  const me = (key?: string | null) => service.call('GET', '/me', undefined, key);

  test('429 with Retry-After, for this key alone', async () => {
    await start({ requestsPerMinute: 1, burst: 2 });
    expect([(await me()).status, (await me()).status]).toEqual([200, 200]);
    const refused = await me();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.body).toEqual({
      error: 'Rate limit exceeded: 1 requests a minute, 2 at once. Retry in 60 s',
      code: 'rate_limited',
      details: { retryAfter: 60 },
    });
    expect((await me(service.otherKey)).status).toBe(200);
    expect((await me(await service.keyWith(['read:cars']))).status).toBe(200);
  });

  test("after the key and the team's switch, before scope, path and body", async () => {
    await start({ requestsPerMinute: 1, burst: 1 });
    const key = await service.keyWith(['read:forms']);
    expect((await me(key)).status).toBe(200);
    expect((await service.call('POST', '/cars', 'no JSON', key)).body.code).toBe('rate_limited');
    expect((await service.call('GET', '/cars/nothing', undefined, key)).body.code).toBe(
      'rate_limited',
    );
    await setIntegration(service.admin, service.team, false);
    expect((await me(key)).body.code).toBe('api_disabled');
    expect((await me('csk_aaaaaaaaaaaa.AAAA')).body.code).toBe('invalid_api_key');
    expect((await service.call('GET', '/nowhere', undefined, key)).body.code).toBe(
      'route_not_found',
    );
  });

  test('uploads, besides', async () => {
    await start({ uploadsPerMinute: 1 });
    const car = await facility(service).car();
    const send = (seed: number) =>
      service.call('POST', `/cars/${car.id}/photos`, { base64: base64Of(png(seed)) });
    expect([(await send(1)).status, (await send(2)).status]).toEqual([201, 429]);
    expect((await service.call('GET', `/cars/${car.id}/photos`)).body.total).toBe(1);
  });

  test('refused keys; a right one is let in all the same', async () => {
    await start({ failedKeysPerMinute: 3 });
    const answers = [
      await me(null),
      await me('nonsense'),
      await me(`csk_aaaaaaaaaaaa.${'a'.repeat(43)}`),
      await me(null),
      await me('nonsense'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
    expect(answers[3]?.headers.get('retry-after')).toBe('20');
    expect((await me()).status).toBe(200);
  });

  test('requests without a key are not limited', async () => {
    await start({ requestsPerMinute: 1, burst: 1, failedKeysPerMinute: 1 });
    for (let times = 0; times < 5; times += 1)
      expect((await service.call('GET', '/openapi.json', undefined, null)).status).toBe(200);
  });
});
