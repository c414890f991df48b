/** An unfinished command belongs to the server and the team, not to the key that began it: keys are replaced. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../../../src/contract/scopes.ts';
import { createKey, createTeam } from '../../../../src/service/admin.ts';
import { cs } from '../../../helpers/cli.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { makeProfile } from '../../../helpers/profile.ts';
import { openTerminal } from '../../../helpers/terminal.ts';
import { type Counter, openCounter } from '../counter/counter.ts';

let counter: Counter;
let newKey: string;
let keyOfOtherTeam: string;
beforeAll(async () => {
  counter = await openCounter();
  newKey = (await createKey(counter.service.admin, { team: 'first', name: 'New', scopes })).key;
  const { slug } = await createTeam(counter.service.admin, { name: 'Other' });
  keyOfOtherTeam = (await createKey(counter.service.admin, { team: slug, name: 'Theirs', scopes }))
    .key;
});
afterAll(() => counter.service.close());

let state: string;
beforeEach(async () => {
  state = await makeFolder();
  onTestFinished(() => removeFolder(state));
});

const env = (key = counter.service.key) => ({ ...counter.env(key), CS_STATE_DIR: state });

async function queued() {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const line = [
    'dropoff',
    car.licensePlate,
    '--type',
    'drop_off',
    '--spot',
    spot.name,
    '--yes',
    '--offline',
  ];
  const result = await cs(line, { env: env(), now: new Date(Date.now() - 600_000) });
  expect(result.code, result.stderr).toBe(0);
  return { car, id: result.json.queued.id as string };
}

const eventsOf = async ({ id }: { id: string }) => (await counter.storedOf(id)).events.length;

describe('where the team of the old key is known', () => {
  beforeEach(async () => {
    expect((await cs(['auth', 'status'], { env: env() })).code).toBe(0);
  });

  test('a new key of the same team finishes it', async () => {
    const { car } = await queued();
    const { code, stderr } = await cs(['pending', 'resume'], { env: env(newKey) });
    expect(code, stderr).toBe(0);
    expect(await eventsOf(car)).toBe(1);
  });

  test('the next command with a new key sends it', async () => {
    const { car } = await queued();
    const { code, stderr } = await cs(['pickup', car.licensePlate, '--yes'], { env: env(newKey) });
    expect(code, stderr).toBe(0);
    expect(await eventsOf(car)).toBe(2);
  });

  test('a key of another team never does', async () => {
    const { car, id } = await queued();
    const all = await cs(['pending', 'resume', '--same-team'], { env: env(keyOfOtherTeam) });
    expect([all.code, all.json]).toEqual([0, []]);
    const one = await cs(['pending', 'resume', id, '--same-team'], { env: env(keyOfOtherTeam) });
    expect(one.error).toMatchObject({
      code: 'other_origin',
      exitCode: 7,
      hint: expect.not.stringContaining('--same-team'),
    });
    expect(await eventsOf(car)).toBe(0);
  });
});

describe('at another address of the server', () => {
  /** The service at another port, as a demonstration has after a restart. */
  async function moved() {
    expect((await cs(['auth', 'status'], { env: env() })).code).toBe(0);
    const work = await queued();
    const proxy = await startFaultyProxy(counter.service.url, () => undefined);
    onTestFinished(() => proxy.close());
    const there = (key: string) => ({ ...counter.env(key, proxy.url), CS_STATE_DIR: state });
    return { ...work, proxy, there };
  }

  test.each([
    ['the same key', () => counter.service.key, ''],
    ['a new key', () => newKey, ' --same-team'],
  ])('with %s, each command of the hint works', async (_what, keyOf, same) => {
    const { car, id, there } = await moved();
    const all = await cs(['pending', 'resume'], { env: there(keyOf()) });
    expect([all.code, all.json]).toEqual([0, []]);
    expect(all.stderr).toContain(`cs pending resume ${id}`);
    const { error } = await cs(['pending', 'resume', id], { env: there(keyOf()) });
    expect(error).toMatchObject({
      code: 'other_origin',
      message: expect.stringContaining('Nothing was sent.'),
    });
    const hint = [
      `if that server still runs: \`cs pending resume ${id} --base-url ${counter.service.url}${same}\``,
      `if its data is at this address now: \`cs pending resume ${id} --same-team\``,
      `otherwise forget it with \`cs pending discard ${id}\``,
    ];
    expect(error.hint).toBe(hint.join('; '));
    expect(await eventsOf(car)).toBe(0);
    const finished = await cs(['pending', 'resume', id, '--same-team'], { env: there(keyOf()) });
    expect(finished.code, finished.stderr).toBe(0);
    expect(await eventsOf(car)).toBe(1);

    const second = await queued();
    const words = [
      'pending',
      'resume',
      second.id,
      '--base-url',
      counter.service.url,
      ...same.split(' ').filter(Boolean),
    ];
    const back = await cs(words, { env: there(keyOf()) });
    expect(back.code, back.stderr).toBe(0);
    expect(await eventsOf(second.car)).toBe(1);
  });

  test('a key of another team finishes nothing, whatever it says', async () => {
    const { car, id, there } = await moved();
    const { error } = await cs(['pending', 'resume', id, '--same-team'], {
      env: there(keyOfOtherTeam),
    });
    expect(error).toMatchObject({
      code: 'other_origin',
      hint: expect.stringContaining(`cs pending discard ${id}`),
    });
    expect(error.hint).not.toContain('at this address now');
    expect(await eventsOf(car)).toBe(0);
  });

  test('a profile that has both is named; without one, the sign-in comes first', async () => {
    const { id, proxy } = await moved();
    const own = (baseUrl: string, key: string) => ({ baseUrl, key });
    const folder = await makeProfile(own(proxy.url, newKey));
    const at = { CS_STATE_DIR: state, CS_CONFIG_DIR: folder };
    const without = await cs(['pending', 'resume', id], { env: at });
    expect(without.error.hint).toContain(
      `\`cs auth login --base-url ${counter.service.url}\`, then \`cs pending resume ${id}\``,
    );
    const profiles = {
      here: own(proxy.url, newKey),
      before: own(counter.service.url, counter.service.key),
    };
    await writeFile(
      join(folder, 'config.json'),
      JSON.stringify({ currentProfile: 'here', profiles }),
      { mode: 0o600 },
    );
    const named = await cs(['pending', 'resume', id], { env: at });
    expect(named.error.hint).toContain(`\`cs pending resume ${id} --profile before\``);
    const finished = await cs(['pending', 'resume', id, '--profile', 'before'], { env: at });
    expect(finished.code, finished.stderr).toBe(0);
  });
});

describe('where the team of the old key is unknown', () => {
  test('nothing is sent by itself; a script says so with --same-team', async () => {
    const { car, id } = await queued();
    const all = await cs(['pending', 'resume'], { env: env(newKey) });
    expect(all.stderr).toMatch(
      new RegExp(
        `Unfinished: drop-off of ${car.licensePlate}, begun with the key .*finish with \`cs pending resume ${id} --same-team\``,
      ),
    );
    const one = await cs(['pending', 'resume', id], { env: env(newKey) });
    expect(one.error).toMatchObject({
      code: 'other_origin',
      hint: expect.stringContaining(`cs pending resume ${id} --same-team`),
    });
    expect(await eventsOf(car)).toBe(0);
    expect((await cs(['pending', 'resume', id, '--same-team'], { env: env(newKey) })).code).toBe(0);
    expect(await eventsOf(car)).toBe(1);
  });

  test('the next command warns, and stores its own work', async () => {
    const { id } = await queued();
    const car = await counter.car();
    await counter.make.event(car.id, { parkingSpotId: (await counter.spot()).id });
    const { code, stderr } = await cs(['pickup', car.licensePlate, '--yes'], { env: env(newKey) });
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`cs pending resume ${id} --same-team`),
    ]);
  });

  test('a person is asked', async () => {
    const { car, id } = await queued();
    const terminal = openTerminal(['pending', 'resume', id], { env: env(newKey) });
    await terminal.waitFor(/same[\s\S]*team\?/);
    terminal.type('y');
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect(await eventsOf(car)).toBe(1);
  });
});

describe('the same line with another key', () => {
  /** Its event is stored, and the answer is lost. */
  async function cutOff() {
    const [car, spot] = [await counter.car(), await counter.spot()];
    const line = ['dropoff', car.licensePlate, '--type', 'drop_off', '--spot', spot.name, '--yes'];
    let isAway = false;
    let isBroken = true;
    let hasMe = true;
    const proxy = await startFaultyProxy(
      counter.service.url,
      ({ method }) => {
        if (!isBroken) return undefined;
        if (isAway) return 'reset';
        isAway = method === 'POST';
        return isAway ? 'lost' : undefined;
      },
      { lacks: ({ url }) => !hasMe && url.endsWith('/me') },
    );
    onTestFinished(() => proxy.close());
    const at = (key?: string, url = proxy.url) => ({
      ...counter.env(key, url),
      CS_STATE_DIR: state,
    });
    expect(
      (await cs([...line, '--retries', '0'], { env: at(), waiting: proxy.waiting })).code,
    ).toBe(9);
    isBroken = false;
    return {
      car,
      line,
      at,
      proxy,
      /** From now on the server doesn't tell the team of a key. */
      hideTeam() {
        hasMe = false;
      },
    };
  }

  test('of the same team finishes it, though nothing had asked for the team', async () => {
    const { car, line, at } = await cutOff();
    const { code, stderr } = await cs(line, { env: at(newKey) });
    expect(code, stderr).toBe(0);
    expect(await eventsOf(car)).toBe(1);
    expect((await cs(['pending', 'list'], { env: at(newKey) })).json).toEqual([]);
  });

  test('whose team nothing tells: a script is refused, and a person is asked', async () => {
    const { car, line, at, hideTeam } = await cutOff();
    hideTeam();
    const refused = await cs(line, { env: at(newKey) });
    expect(refused.error).toMatchObject({
      code: 'other_origin',
      exitCode: 7,
      hint: expect.stringMatching(
        /`cs pending resume [0-9a-f]{8} --same-team`.*`cs pending discard [0-9a-f]{8}`$/,
      ),
    });
    expect(await eventsOf(car)).toBe(1);
    const terminal = openTerminal(
      line.filter((word) => word !== '--yes'),
      { env: at(newKey) },
    );
    await terminal.waitFor('Does that belong to the same team?');
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect(await eventsOf(car)).toBe(1);
  });

  test('at another name of the server: a script is refused, and another line names it', async () => {
    const { car, line, at, proxy } = await cutOff();
    const env = at(undefined, proxy.url.replace('127.0.0.1', 'localhost'));
    const refused = await cs(line, { env });
    expect(refused.error).toMatchObject({
      code: 'other_origin',
      exitCode: 7,
      message: expect.stringContaining(`on ${proxy.url}`),
      hint: expect.stringContaining(`--base-url ${proxy.url}`),
    });
    expect(await eventsOf(car)).toBe(1);
    const resumed = await cs(['pending', 'resume'], { env });
    expect([resumed.code, resumed.json]).toEqual([0, []]);
    expect(resumed.stderr).toContain(`begun on ${proxy.url}. If that is the same server`);
    const finished = await cs(
      ['pending', 'resume', refused.error.details.id, '--base-url', proxy.url],
      { env },
    );
    expect(finished.code, finished.stderr).toBe(0);
    expect(await eventsOf(car)).toBe(1);
  });
});
