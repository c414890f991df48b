/** A queued command in a state folder, for what shows, finishes or forgets one. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ownerOf } from '../../src/cli/state/state.ts';
import { beginWork, endWork, noteStep, removeWork } from '../../src/cli/state/work.ts';
import type { Io } from '../../src/cli/terminal/io.ts';

/** The id in the examples of `cs pending`. */
export const unfinishedId = '3f1c9a02';

/** An inspection of Greta, or another drop-off, that was queued without the server. */
export function writeUnfinished(
  state: string,
  { server, key }: { readonly server: string; readonly key: string },
  flags: Readonly<Record<string, string>> = { car: 'Greta', type: 'inspection' },
): void {
  const at = '2026-03-01T09:00:00.000Z';
  const io = ioOf(state, at);
  removeWork(io, unfinishedId);
  beginWork(io, {
    command: 'dropoff',
    what: 'drop-off of Greta',
    facility: ownerOf(server, key),
    line: null,
    server,
    key,
    happenedAt: at,
    car: flags.car ?? null,
    flags: { ...flags, at, photo: [] },
    requests: null,
    shown: null,
  });
  const db = new DatabaseSync(join(state, 'state.db'));
  db.prepare('update "work" set "id" = ?').run(unfinishedId);
  db.close();
}

/** A drop-off that the server of samples has stored, on the spot where it shows each car; of its team, or of the key where it tells no team. */
export function writeDone(state: string, server: string, key: string): void {
  for (const facility of ['019aa0a3-4d00-7000-8000-08b72e07b55c', ownerOf(server, key)])
    writeDoneOf(state, facility);
}

function writeDoneOf(state: string, facility: string): void {
  const at = '2026-03-01T09:00:00.000Z';
  const io = ioOf(state, at);
  const begun = beginWork(io, {
    command: 'dropoff',
    what: 'drop-off of Greta',
    facility,
    line: null,
    server: 'x',
    key: 'x',
    happenedAt: at,
    car: null,
    flags: null,
    requests: [],
    shown: {
      what: 'drop-off',
      answer: 'event',
      car: { id: '019aa0a3-4d00-7000-8000-0000000000aa' },
      json: { spot: { id: '019aa0a3-4d00-7000-8000-00000000005b' }, zone: null },
    },
  });
  if ('open' in begun) return;
  const id = '019aa0a3-4d00-7000-8000-2685d92a4925';
  noteStep(io, begun.work.id, { name: 'event', state: 'done', answer: { id, occurredAt: at } });
  endWork(io, begun.work);
}

const ioOf = (state: string, at: string): Io =>
  ({
    env: { CS_STATE_DIR: state },
    home: '/nowhere',
    platform: 'linux',
    now: () => new Date(at),
  }) as Partial<Io> as Io;
