/** What the worker promises, whatever the transport does: nothing lost, nothing twice that was settled, nothing called sent that was not. */
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Context } from '../../../src/service/context.ts';
import type { OutboxRow } from '../../../src/service/database/tables.ts';
import { claim, deadLetter, dueEntries, postpone } from '../../../src/service/outbox/claims.ts';
import {
  enqueue,
  enqueueAll,
  type OutboxHandler,
  type OutboxMessage,
  type Outcome,
  withdrawAll,
} from '../../../src/service/outbox/outbox.ts';
import { type Transport, TransportError } from '../../../src/service/outbox/transport.ts';
import { startWorker, type WorkerOptions } from '../../../src/service/outbox/worker.ts';
import { openStores } from '../../../src/service/stores.ts';
import { inTransaction } from '../../../src/service/transaction.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService();
const stores = service.admin;
const { id: teamId } = await stores.database.read
  .selectFrom('teams')
  .select('id')
  .where('slug', '=', 'first')
  .executeTakeFirstOrThrow();
const { id: otherId } = await stores.database.read
  .selectFrom('teams')
  .select('id')
  .where('slug', '=', 'second')
  .executeTakeFirstOrThrow();
const write = <T>(task: (context: Context) => Promise<T>) =>
  inTransaction(stores, { id: teamId }, task);
/** Reading SQLite alone never lets a timer run. */
const rows = async (): Promise<OutboxRow[]> => {
  await setImmediate();
  return stores.database.read.selectFrom('outbox').selectAll().orderBy('recordId').execute();
};
const emptied = async () => {
  while ((await rows()).length > 0);
};
/** Stamps may run a little ahead of the clock. */
const allDue = async () => {
  while ((await rows()).some(({ dueAt }) => dueAt > new Date().toISOString()));
};
/** A record's id that holds its name, and sorts like it. */
const idOf = (name: string): string =>
  Buffer.from(name.padEnd(16, '\0'))
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const nameOf = (id: string): string =>
  Buffer.from(id.replaceAll('-', ''), 'hex').toString().replaceAll('\0', '');
const put = (name: string, notBefore?: string) =>
  write((context) => enqueue(context, { kind: 'message', recordId: idOf(name), notBefore }));

/** Puts as many sends of a campaign in, at once. */
const putSends = (ofTeam: string, name: string, count: number) =>
  inTransaction(stores, { id: ofTeam }, (context) =>
    enqueueAll(
      context,
      Array.from({ length: count }, (_, n) => ({
        kind: 'send',
        recordId: idOf(`${name}${String(n).padStart(2, '0')}`),
      })),
    ),
  );

let outcomes: Record<string, Outcome[]>;
beforeEach(async () => {
  outcomes = {};
  await stores.database.write.deleteFrom('outbox').execute();
});

/** Letters that are named like their records. */
const handler: OutboxHandler = {
  async load(_context, recordId) {
    const name = nameOf(recordId);
    return { id: name, to: 'ada@example.com', from: null, subject: null, body: 'Hello' };
  },
  async recordOutcome(_context, recordId, outcome) {
    outcomes[nameOf(recordId)] = [...(outcomes[nameOf(recordId)] ?? []), outcome];
  },
};
const handlersWith = (own: Partial<OutboxHandler> = {}) => {
  const one = { ...handler, ...own };
  return { adminLink: one, message: one, send: one };
};

/** A transport that does what the test says, and knows what it was handed. */
function carrier(
  answer: (letter: OutboxMessage, times: number) => void | Promise<void> = () => undefined,
) {
  const letters: string[] = [];
  const transport: Transport = {
    name: 'test',
    async send(letter) {
      letters.push(letter.id);
      await answer(letter, letters.filter((id) => id === letter.id).length);
      return { externalId: `x-${letter.id}` };
    },
    close: async () => undefined,
  };
  return { transport, letters };
}

function work(transport: Transport, own: Partial<WorkerOptions> = {}) {
  // So long that nothing happens by looking again: what is put in must wake the worker.
  const worker = startWorker({
    stores,
    handlers: handlersWith(),
    transport,
    isOnlyService: true,
    pollMs: 10_000_000,
    retryAfterMs: () => 0,
    ...own,
  });
  onTestFinished(() => worker.stop());
  return worker;
}

/** What an operator reads: the level, the entry and its attempts, and the words. */
function log() {
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const logged = () =>
    lines.map((line) => {
      const { level, kind, recordId, attempts, msg } = JSON.parse(line);
      return `${pino.levels.labels[level]} ${kind} ${nameOf(recordId ?? '')} ${attempts}: ${msg}`;
    });
  return { logger, logged };
}

const forNow = () =>
  Promise.reject(new TransportError('Not now', { permanent: false, reason: 'test' }));
const outOfReach = "Couldn't reach the mail server, or it didn't accept the message";
const forGood = () =>
  Promise.reject(new TransportError('Never', { permanent: true, reason: 'test' }));
const sent = (id: string, attempts = 1): Outcome => ({
  status: 'sent',
  externalId: `x-${id}`,
  attempts,
});

describe('entries are delivered', () => {
  test('at once after the commit, and once', async () => {
    const { transport, letters } = carrier();
    work(transport);
    await put('a');
    await put('b');
    await emptied();
    expect({ letters, outcomes }).toEqual({
      letters: ['a', 'b'],
      outcomes: { a: [sent('a')], b: [sent('b')] },
    });
  });

  test('not when the transaction was undone', async () => {
    const undone = write(async (context) => {
      await enqueue(context, { kind: 'message', recordId: idOf('a') });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await rows()).toEqual([]);
  });

  test('not before its time, and by itself when that comes', async () => {
    const time = Date.now() + 100;
    const at: number[] = [];
    const { transport, letters } = carrier(() => void at.push(Date.now()));
    work(transport);
    await put('later', new Date(time).toISOString());
    await put('much later', '2099-01-01T00:00:00+01:00');
    await put('now');
    while ((await rows()).length > 1);
    expect(letters.toSorted()).toEqual(['later', 'now']);
    expect(at[letters.indexOf('later')]).toBeGreaterThanOrEqual(time);
    expect(await rows()).toMatchObject([
      { recordId: idOf('much later'), dueAt: '2098-12-31T23:00:00.000Z' },
    ]);
  });

  test('added again: one message at the new time', async () => {
    await put('a', '2099-01-01T00:00:00Z');
    await put('a');
    const { transport, letters } = carrier();
    work(transport);
    await emptied();
    expect(letters).toEqual(['a']);
  });

  test('several workers on one database: each parcel once', async () => {
    const other = await openStores(service);
    onTestFinished(() => other.database.close());
    const { transport, letters } = carrier();
    const own = { isOnlyService: false, pollMs: 1 };
    work(transport, own);
    work(transport, { ...own, stores: other });
    const ids = Array.from({ length: 40 }, (_, n) => `p${String(n).padStart(2, '0')}`);
    await Promise.all(ids.map((id) => put(id)));
    await emptied();
    expect(letters.toSorted()).toEqual(ids);
    expect(outcomes).toEqual(Object.fromEntries(ids.map((id) => [id, [sent(id)]])));
  });
});

describe('fair turns between teams', () => {
  test('a message of another team goes out among the first, in the middle of a campaign', async () => {
    await putSends(teamId, 'a', 50);
    const isDue = ({ recordId, dueAt }: OutboxRow) =>
      recordId === idOf('b') && dueAt <= new Date().toISOString();
    const { transport, letters } = carrier(async ({ id }) => {
      if (letters.length === 4)
        await inTransaction(stores, { id: otherId }, (context) =>
          enqueue(context, { kind: 'message', recordId: idOf('b') }),
        );
      // The server is slow until the message is there.
      if (letters.includes('a03') && !letters.includes('b') && id !== 'b')
        while (!(await rows()).some((row) => isDue(row) || letters.includes('b')));
    });
    work(transport);
    await emptied();
    expect(letters).toHaveLength(51);
    // Those that were under way already, and then it.
    expect(letters.indexOf('b')).toBeLessThanOrEqual(8);
  });

  test('a message goes before the sends of its own team', async () => {
    await putSends(teamId, 'a', 3);
    await put('b');
    await allDue();
    const { transport, letters } = carrier();
    work(transport, { atOnce: 1 });
    await emptied();
    expect(letters).toEqual(['b', 'a00', 'a01', 'a02']);
  });

  test('campaigns of two teams go out in turns', async () => {
    await putSends(teamId, 'a', 5);
    await putSends(otherId, 'b', 3);
    await allDue();
    const { transport, letters } = carrier();
    work(transport, { atOnce: 1 });
    await emptied();
    const pairs = [0, 2, 4, 6].map((at) => letters.slice(at, at + 2).toSorted());
    expect(pairs).toEqual([
      ['a00', 'b00'],
      ['a01', 'b01'],
      ['a02', 'b02'],
      ['a03', 'a04'],
    ]);
  });

  test('several are in flight at once, up to the limit', async () => {
    await putSends(teamId, 'a', 9);
    let [now, most] = [0, 0];
    let together: () => void = () => undefined;
    const three = new Promise<void>((resolve) => {
      together = resolve;
    });
    const { transport } = carrier(async () => {
      most = Math.max(most, ++now);
      if (now === 3) together();
      await three;
      await rows();
      now -= 1;
    });
    work(transport, { atOnce: 3 });
    await emptied();
    expect(most).toBe(3);
  });
});

describe('failed deliveries', () => {
  test('for now: tried again, with the same letter id', async () => {
    const { transport, letters } = carrier((_letter, times) => (times < 3 ? forNow() : undefined));
    work(transport);
    await put('a');
    await emptied();
    expect({ letters, outcomes }).toEqual({
      letters: ['a', 'a', 'a'],
      outcomes: { a: [sent('a', 3)] },
    });
  });

  test('waits for its next attempt with the reason', async () => {
    const { transport } = carrier(forNow);
    work(transport, { retryAfterMs: () => 3_600_000 });
    await put('a');
    let row: OutboxRow | undefined;
    while (!row?.error) [row] = await rows();
    expect(row).toMatchObject({ recordId: idOf('a'), claim: null, attempts: 1, error: 'Not now' });
    expect(Date.parse(row.dueAt)).toBeGreaterThan(Date.now() + 3_000_000);
    expect(outcomes).toEqual({});
  });

  test('for now, again and again: failed in the end', async () => {
    const { transport } = carrier(forNow);
    work(transport, { retryAfterMs: (attempts) => (attempts < 4 ? 0 : undefined) });
    await put('a');
    await emptied();
    expect(outcomes).toEqual({ a: [{ status: 'failed', error: outOfReach, attempts: 4 }] });
  });

  test('for good: failed at once', async () => {
    const { transport, letters } = carrier(forGood);
    work(transport);
    await put('a');
    await emptied();
    expect({ letters, outcomes }).toEqual({
      letters: ['a'],
      outcomes: { a: [{ status: 'failed', error: 'Never', attempts: 1 }] },
    });
  });

  test('an unexpected error of a transport is temporary', async () => {
    const { transport } = carrier((_letter, times) => {
      if (times === 1) throw new TypeError('a fault');
    });
    work(transport);
    await put('a');
    await emptied();
    expect(outcomes).toEqual({ a: [sent('a', 2)] });
  });

  test('a transport that never ends: given up, and the next one goes out', async () => {
    const { transport } = carrier((letter) =>
      letter.id === 'stuck' ? new Promise(() => undefined) : undefined,
    );
    work(transport, { deliveryMs: 20, retryAfterMs: () => undefined });
    await put('stuck');
    await put('next');
    await emptied();
    expect(outcomes).toEqual({
      stuck: [{ status: 'failed', error: outOfReach, attempts: 1 }],
      next: [sent('next')],
    });
  });
});

describe('withdrawn entries', () => {
  test('taken back while it waits: never goes out', async () => {
    await put('a', '2099-01-01T00:00:00Z');
    await write((context) => withdrawAll(context, 'message', [idOf('a')]));
    expect(await rows()).toEqual([]);
  });

  test('taken back while in flight, and not taken: not tried again', async () => {
    const { transport, letters } = carrier(async () => {
      await write((context) => withdrawAll(context, 'message', [idOf('a')]));
      await forNow();
    });
    work(transport);
    await put('a');
    await emptied();
    expect({ letters, outcomes }).toEqual({ letters: ['a'], outcomes: {} });
  });

  test('withdrawn in flight but delivered: the delivery is recorded', async () => {
    const { transport } = carrier(() =>
      write((context) => withdrawAll(context, 'message', [idOf('a')])),
    );
    work(transport);
    await put('a');
    await emptied();
    expect(outcomes).toEqual({ a: [sent('a')] });
  });

  test('withdrawn and added again in flight: delivered once', async () => {
    let due: OutboxRow[] = [];
    const { transport, letters } = carrier(async (_letter, times) => {
      // Once: otherwise an entry that goes out twice would go out for ever.
      if (times > 1) return;
      await write((context) => withdrawAll(context, 'message', [idOf('a')]));
      await put('a');
      due = await dueEntries(stores.database.read);
    });
    work(transport);
    await put('a');
    await emptied();
    expect({ letters, due }).toEqual({ letters: ['a'], due: [] });
  });

  test('added again in flight: not due before its claim ends, so delivered once', async () => {
    const seen: OutboxRow[][] = [];
    const { transport, letters } = carrier(async (_letter, times) => {
      // Once: otherwise an entry that goes out twice would go out for ever.
      if (times > 1) return;
      seen.push(await rows());
      await put('a');
      seen.push(await rows(), await dueEntries(stores.database.read));
    });
    work(transport);
    await put('a');
    await emptied();
    expect(letters).toEqual(['a']);
    expect(seen).toEqual([seen[0], seen[0], []]);
  });

  test('a deleted record is dropped; one that must not be sent is skipped with the reason', async () => {
    const { transport, letters } = carrier();
    const load: OutboxHandler['load'] = async (_context, id) =>
      id === idOf('gone') ? undefined : { skip: 'opted_out' };
    work(transport, { handlers: handlersWith({ load }) });
    await put('gone');
    await put('out');
    await emptied();
    expect({ letters, outcomes }).toEqual({
      letters: [],
      outcomes: { out: [{ status: 'skipped', reason: 'opted_out' }] },
    });
  });
});

describe('when something breaks', () => {
  /** Takes a parcel as a process does that dies in the middle of handing it over. */
  async function takeAndDie(leaseMs: number) {
    const [row] = await rows();
    const taken = await claim(stores, row as OutboxRow, {
      handlers: handlersWith(),
      leaseMs,
    });
    expect(taken?.message.id).toBe(nameOf(row?.recordId ?? ''));
  }

  test('an entry in flight is delivered again after its claim ends, and not before', async () => {
    await put('a');
    const end = Date.now() + 200;
    await takeAndDie(200);
    let at = 0;
    const { transport } = carrier(() => {
      at = Date.now();
    });
    work(transport, { isOnlyService: false });
    await emptied();
    expect(at).toBeGreaterThanOrEqual(end);
    expect(outcomes).toEqual({ a: [sent('a', 2)] });
  });

  test('at once if no other process uses the database', async () => {
    await put('a');
    await takeAndDie(1_000_000_000);
    const { transport, letters } = carrier();
    work(transport, { isOnlyService: true });
    await emptied();
    expect(letters).toEqual(['a']);
  });

  test('an entry withdrawn from a dead process is not delivered', async () => {
    await put('a');
    await takeAndDie(1_000_000_000);
    await write((context) => withdrawAll(context, 'message', [idOf('a')]));
    const { transport, letters } = carrier();
    work(transport);
    await emptied();
    expect({ letters, outcomes }).toEqual({ letters: [], outcomes: {} });
  });

  test('an unreadable record is retried and does not delay others', async () => {
    let faults = 2;
    const load: OutboxHandler['load'] = async (context, id) => {
      if (id === idOf('odd') && faults-- > 0) throw new Error('a fault');
      return handler.load(context, id);
    };
    const { transport, letters } = carrier();
    const { logger, logged } = log();
    work(transport, { handlers: handlersWith({ load }), retryAfterMs: () => 20, logger });
    await put('odd');
    await put('a');
    await emptied();
    expect(letters).toEqual(['a', 'odd']);
    // Its attempts depend on which reads its two faults meet; it is logged once its row is gone.
    await expect
      .poll(() => new Set(logged().map((line) => line.replace(/odd \d/, 'odd N'))))
      .toEqual(
        new Set([
          "error message odd N: can't read an outbox entry",
          'info message a 1: delivered',
          'info message odd N: delivered',
        ]),
      );
  });

  test('an outcome that cannot be recorded for a moment: recorded later, delivered once', async () => {
    let faults = 1;
    const recordOutcome: OutboxHandler['recordOutcome'] = async (context, id, outcome) => {
      if (faults-- > 0) throw new Error('a fault');
      return handler.recordOutcome(context, id, outcome);
    };
    const { transport, letters } = carrier();
    work(transport, { handlers: handlersWith({ recordOutcome }), faultMs: 5 });
    await put('a');
    await emptied();
    expect({ letters, outcomes }).toEqual({ letters: ['a'], outcomes: { a: [sent('a')] } });
  });

  test('an outcome that can never be recorded: a dead letter that is not delivered again, also after a restart', async () => {
    const recordOutcome = () => Promise.reject(new Error('a fault'));
    const { transport, letters } = carrier();
    const { logger, logged } = log();
    const handlers = handlersWith({ recordOutcome });
    const worker = work(transport, { handlers, leaseMs: 500, logger });
    await put('a');
    await expect.poll(async () => (await rows())[0]?.error).toBeTruthy();
    await worker.stop();
    expect(new Set(logged())).toEqual(
      new Set(["error message a 1: can't record the outcome of a delivery"]),
    );
    work(transport);
    await put('b');
    await expect.poll(() => letters).toEqual(['a', 'b']);
    expect((await rows()).map(({ recordId }) => nameOf(recordId))).toContain('a');
  });

  test('an outcome that can neither be recorded nor given up: the log names the entry', async () => {
    let isBroken = false;
    const { database } = stores;
    const ofTeam: typeof database.ofTeam = (id) => {
      if (isBroken) throw new Error('a fault');
      return database.ofTeam(id);
    };
    const recordOutcome = () => {
      isBroken = true;
      return Promise.reject(new Error('a fault'));
    };
    const { transport } = carrier();
    const { logger, logged } = log();
    const handlers = handlersWith({ recordOutcome });
    const broken = { ...stores, database: { ...database, ofTeam } };
    work(transport, { stores: broken, handlers, leaseMs: 500, logger });
    await put('a');
    await expect
      .poll(() => logged().slice(0, 2))
      .toEqual([
        "error message a 1: can't record the outcome of a delivery",
        "error message a 1: can't make an outbox entry a dead letter; it may be sent again",
      ]);
    isBroken = false;
  });

  test('a slower process does not change an entry that another one claimed', async () => {
    const other = await openStores(service);
    onTestFinished(() => other.database.close());
    await put('a');
    const [seen] = (await rows()) as [OutboxRow];
    const own = { handlers: handlersWith(), leaseMs: 1_000_000 };
    const first = await claim(stores, seen, { ...own, leaseMs: 0 });
    const second = await claim(other, first?.row as OutboxRow, own);
    await postpone(stores, seen, 0);
    await postpone(stores, first?.row as OutboxRow, 0);
    await deadLetter(stores, first?.row as OutboxRow, 'too late');
    expect(await rows()).toEqual([second?.row]);
  });

  test('an unreadable entry stays with the worker that has it in flight', async () => {
    const other = await openStores(service);
    onTestFinished(() => other.database.close());
    let [faults, most, now] = [0, 0, 0];
    const load: OutboxHandler['load'] = async (context, id) => {
      if (++faults < 5) throw new Error('a fault');
      return handler.load(context, id);
    };
    const own = { isOnlyService: false, pollMs: 1, retryAfterMs: () => 2 };
    const { transport } = carrier(async () => {
      most = Math.max(most, ++now);
      // Long enough for the other to try in vain, were it let.
      for (let looks = 0; looks < 20; looks++) await rows();
      now -= 1;
    });
    work(transport, { ...own, handlers: handlersWith({ load }) });
    await put('a');
    while (faults === 0) await rows();
    work(transport, { ...own, stores: other });
    await emptied();
    expect({ most, sent: outcomes.a?.length }).toEqual({ most: 1, sent: 1 });
  });

  test('a stop waits for deliveries in flight before it closes the transport; other entries wait', async () => {
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const done: string[] = [];
    const { transport } = carrier(async () => {
      begun.resolve();
      await held.promise;
      done.push('handed over');
    });
    const close = async () => void done.push('closed');
    const worker = work({ ...transport, close }, { atOnce: 1 });
    await put('a');
    await put('b');
    await begun.promise;
    const stopped = worker.stop().then(() => done.push('stopped'));
    for (let turns = 0; turns < 50; turns += 1) await setImmediate();
    expect(done).toEqual([]);
    held.resolve();
    await stopped;
    expect(done).toEqual(['handed over', 'closed', 'stopped']);
    expect(outcomes).toEqual({ a: [sent('a')] });
    expect(await rows()).toMatchObject([{ recordId: idOf('b'), claim: null, attempts: 0 }]);
  });
});
