/**
 * A shift of two counters: 60 events on the same cars, half of them typed without the server, with killed processes, lost answers, other
 * ports and another key between. Each is stored once at its time, or somebody was told that it isn't.
 */
import { expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../../../src/contract/scopes.ts';
import { createKey } from '../../../../src/service/admin.ts';
import { builtCs } from '../../../helpers/built.ts';
import { cs } from '../../../helpers/cli.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { seed } from '../../../helpers/seed.ts';
import { counterOfFile } from './counter.ts';

const events = 60;

const counter = counterOfFile();

type Fault = 'lost' | 'reset' | 'killed' | 'killed once it arrived';

interface Desk {
  /** Of the next POST. */
  fault: Fault | undefined;
  kill: (() => void) | undefined;
  key: string;
  readonly ports: readonly FaultyProxy[];
  port: number;
  readonly state: string;
}

async function openDesk(): Promise<Desk> {
  const desk = { fault: undefined, kill: undefined, key: counter.service.key, port: 0 } as {
    -readonly [K in keyof Desk]: Desk[K];
  };
  desk.state = await makeFolder();
  const open = () =>
    startFaultyProxy(counter.service.url, ({ method }) => {
      const { fault } = desk;
      if (method !== 'POST' || fault === undefined) return undefined;
      if (fault === 'lost' || fault === 'reset') return fault;
      desk.fault = undefined;
      desk.kill?.();
      return fault === 'killed' ? 'reset' : undefined;
    });
  desk.ports = [await open(), await open()];
  onTestFinished(async () => {
    for (const port of desk.ports) await port.close();
    await removeFolder(desk.state);
  });
  return desk;
}

const envOf = ({ key, ports, port, state }: Desk) => ({
  ...counter.env(key, ports[port]?.url),
  CS_STATE_DIR: state,
});
const run = (desk: Desk, argv: readonly string[]) =>
  cs(argv, { env: envOf(desk), waiting: desk.ports[desk.port]?.waiting });

/** As far as its people know. */
interface Told {
  readonly kind: 'dropoff' | 'pickup' | 'move';
  readonly carId: string;
  readonly from: number;
  readonly until: number;
  /** When it was queued. */
  readonly at?: string;
  readonly is: 'stored' | 'refused' | 'queued';
}

test(`each of ${events} events is stored once at its time, or told (CS_SEED=${seed})`, {
  timeout: 600_000,
}, async () => {
  const random = randomFrom(seed);
  const desks = [await openDesk(), await openDesk()] as const;
  const second = await createKey(counter.service.admin, { team: 'first', name: '2nd', scopes });
  const [cars, spots] = [[] as { id: string; plate: string; in?: string }[], [] as string[]];
  for (let at = 0; at < 8; at += 1) {
    const { id, licensePlate: plate } = await counter.car();
    cars.push({ id, plate });
    spots.push((await counter.spot()).name, (await counter.spot()).name);
  }
  for (const desk of desks) expect((await run(desk, ['pending', 'resume'])).code).toBe(0);

  const told = new Map<string, Told>();
  for (let number = 0; number < events; number += 1) {
    const desk = random.oneOf(desks);
    const car = random.oneOf(cars);
    const free = random.oneOf(spots.filter((name) => cars.every((one) => one.in !== name)));
    const kind = car.in === undefined ? 'dropoff' : random.chance(50) ? 'pickup' : 'move';
    const notes = `#${number}`;
    const place = kind === 'pickup' ? [] : ['--spot', free];
    const type = kind === 'dropoff' ? ['--type', 'drop_off'] : [];
    const line = [kind, car.plate, ...place, ...type, '--notes', notes, '--yes'];
    const from = Date.now();
    const base = { kind, carId: car.id, from } as const;
    if (random.chance(30)) desk.port = 1 - desk.port;
    if (random.chance(50)) {
      const { code, json, stderr } = await run(desk, [...line, '--offline']);
      expect(code, stderr).toBe(0);
      told.set(notes, { ...base, until: Date.now(), at: json.queued.at, is: 'queued' });
    } else {
      desk.fault = random.oneOf([undefined, 'lost', 'reset', 'killed', 'killed once it arrived']);
      const code = desk.fault?.startsWith('killed')
        ? await runKilled(desk, line)
        : (await run(desk, line)).code;
      desk.fault = undefined;
      let is: Told['is'] = code === 0 ? 'stored' : 'refused';
      // What is refused is refused; everything else is typed again, perhaps at another port.
      if (code !== 0 && code !== 7) {
        if (random.chance(50)) desk.port = 1 - desk.port;
        const again = await run(desk, line);
        expect([0, 7], again.stderr).toContain(again.code);
        is = again.code === 0 ? 'stored' : 'refused';
      }
      told.set(notes, { ...base, until: Date.now(), is });
    }
    if (told.get(notes)?.is === 'refused') continue;
    if (kind === 'pickup') delete car.in;
    else car.in = free;
    // The other key has other idempotency keys: with an unconfirmed request a person would decide.
    const { json: left } = await run(desk, ['pending', 'list']);
    const isQueued = ({ state }: { state: string }) => state === 'queued, not sent';
    if (left.length > 0 && left.every(isQueued)) desk.key = second.key;
  }

  const named: string[] = [];
  // Its answer was lost, and it waits behind refused work on its car.
  const unconfirmed: string[] = [];
  for (const desk of [...desks, ...desks]) await run(desk, ['pending', 'resume']);
  for (const desk of desks) {
    const left = (await run(desk, ['pending', 'list'])).json;
    for (const { state, queued } of left) {
      const waits = left.some(
        (other: { state: string; queued: { car: string } }) =>
          other.queued.car === queued.car && other.state.startsWith('refused: '),
      );
      if (waits && /^may be stored: \w+ sent, unconfirmed/.test(state))
        unconfirmed.push(queued.notes);
      else expect(state).toMatch(/^(refused: .|queued, not sent)/);
      named.push(queued.notes);
    }
    const codeOf = async () => (await run(desk, ['pending', 'resume'])).code;
    expect(await codeOf()).toBe(left.length > 0 ? 7 : 0);
  }

  const wrong: unknown[] = [];
  for (const [notes, { kind, carId, from, until, at, is }] of told) {
    const { events, assignments } = await counter.storedOf(carId);
    const times =
      kind === 'move'
        ? assignments.filter((one) => one.notes === notes).map((one) => one.startedAt)
        : events.filter((one) => one.notes === notes).map((one) => one.occurredAt);
    const isNamed = is === 'refused' || named.includes(notes);
    const isDatedRightly = (time: string) =>
      at === undefined ? Date.parse(time) >= from && Date.parse(time) <= until : time === at;
    const isRight = unconfirmed.includes(notes)
      ? times.length <= 1
      : times.length === (isNamed ? 0 : 1);
    if (!isRight || !times.every(isDatedRightly)) wrong.push({ notes, kind, is, at, times });
  }
  expect(wrong).toEqual([]);
  const counts = Map.groupBy(told.values(), ({ is }) => is);
  // So that nothing is asserted in vain.
  expect(counts.get('queued')?.length).toBeGreaterThan(events / 4);
  expect(named.length).toBeLessThan(events / 2);
});

async function runKilled(desk: Desk, line: readonly string[]): Promise<number> {
  const running = builtCs(line, { env: envOf(desk) });
  desk.kill = () => running.kill('SIGKILL');
  const { exitCode = 137 } = await running;
  desk.kill = undefined;
  return exitCode;
}

/** The generator mulberry32. */
function randomFrom(seed: number) {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number) => next() % limit;
  return {
    oneOf: <T>(choices: readonly T[]) => choices[below(choices.length)] as T,
    chance: (percent: number) => below(100) < percent,
  };
}
