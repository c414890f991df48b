/** Unfinished work and what was done last, as the state file keeps them: each facility for itself. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  beginWork,
  endWork,
  lastDone,
  moveWorkToTeam,
  type NewWork,
  noteStep,
  openWork,
  openWorkOn,
  readSteps,
  type Work,
} from '../../../src/cli/state/work.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';

let folder: string;
let io: never;
beforeEach(async () => {
  folder = await makeFolder();
  io = ioAt(0);
});
afterEach(() => removeFolder(folder));

const start = Date.parse('2026-03-01T12:00:00Z');
const ioAt = (hours: number) =>
  ({ env: { CS_STATE_DIR: folder }, now: () => new Date(start + hours * 3_600_000) }) as never;

function begin(facility: string, more: Partial<NewWork> = {}): Work {
  const begun = beginWork(io, {
    command: 'move',
    what: `move of ${more.car ?? 'a car'}`,
    facility,
    line: null,
    server: 'https://cars.example.com',
    key: 'csk_1',
    happenedAt: new Date(start).toISOString(),
    car: null,
    flags: null,
    requests: [],
    shown: null,
    ...more,
  });
  if ('open' in begun) throw new Error(`open already: ${begun.open.id}`);
  return begun.work;
}

test('what is open, and what was done last, is that of the facility', () => {
  const [open, other] = [begin('harbour'), begin('annex')];
  expect(openWork(io, 'harbour').map(({ id }) => id)).toEqual([open.id]);
  expect(openWork(io)).toHaveLength(2);
  endWork(io, open);
  expect(lastDone(io, 'annex')).toBe(undefined);
  endWork(io, other);
  expect([lastDone(io, 'harbour')?.id, lastDone(io, 'annex')?.id]).toEqual([open.id, other.id]);
});

test('what is open comes in the order in which it happened, then in that in which it was begun', () => {
  const at = (minutes: number) => ({
    happenedAt: new Date(start + minutes * 60_000).toISOString(),
  });
  const [last, first, second] = [
    begin('harbour', at(2)),
    begin('harbour', at(1)),
    begin('harbour', at(1)),
  ];
  expect(openWork(io).map(({ id }) => id)).toEqual([first.id, second.id, last.id]);
});

test('a car is the same however its plate is typed', () => {
  const { id } = begin('harbour', { car: 'hh-rs 73' });
  const car = { id: '1', licensePlate: 'HHRS73', nickname: null };
  expect(openWorkOn(io, 'harbour', car)?.id).toBe(id);
  expect(openWorkOn(io, 'annex', car)).toBe(undefined);
  const another = { id: '2', licensePlate: 'HH-AB 2' };
  expect(openWorkOn(io, 'harbour', another)).toBe(undefined);
});

test('a step that is sent again has had no answer since it was sent first', () => {
  const { id } = begin('harbour');
  noteStep(io, id, { name: 'event', state: 'sent' });
  noteStep(ioAt(20), id, { name: 'event', state: 'sent' });
  expect(readSteps(io, id)).toMatchObject([{ name: 'event', sentAt: start }]);
  // Certainly not stored, and then sent as if for the first time.
  noteStep(ioAt(21), id, { name: 'event', state: 'waiting' });
  noteStep(ioAt(22), id, { name: 'event', state: 'sent' });
  expect(readSteps(io, id)).toMatchObject([{ sentAt: start + 22 * 3_600_000 }]);
});

test('work that began before the team was known is the team’s, also where it has the same line', () => {
  const [early, known] = [begin('key', { line: 'move x' }), begin('team', { line: 'move x' })];
  moveWorkToTeam(io, 'key', 'team');
  expect(openWork(io, 'key')).toEqual([]);
  expect(openWork(io, 'team').map(({ id, line }) => [id, line])).toEqual([
    [early.id, null],
    [known.id, 'move x'],
  ]);
});
