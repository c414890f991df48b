/**
 * Tells open pages that something of their team has changed (Server-Sent Events). Every write stamps its team, also those of other
 * processes and of `cs admin`, so one question a second finds all of them; nobody asks while nobody watches.
 */
import { PassThrough } from 'node:stream';
import type { Database } from '../database/database.ts';
import { ApiProblem } from '../problem.ts';

export interface EventTiming {
  /** Between two questions for changes, in milliseconds. */
  readonly askMs: number;
  /** Between two events without a change. A page that hears none for 10 s knows that its connection is dead. */
  readonly aliveMs: number;
  /** Between two checks that the session of a stream hasn't ended. */
  readonly checkMs: number;
}

const usualTiming: EventTiming = { askMs: 1_000, aliveMs: 4_000, checkMs: 15_000 };

/** Streams at once: of one team, and of one session. A browser has six connections to a service, for all its pages. */
const mostOfTeam = 20;
const mostOfSession = 5;

interface Watcher {
  readonly stream: PassThrough;
  readonly sessionId: string;
  /** Whether its session is still alive. */
  readonly isAlive: () => Promise<boolean>;
}

export interface Events {
  /** A stream that lasts as long as the session. Throws `rate_limited` for more than 5 of a session, and 20 of a team. */
  watch(
    session: { readonly id: string; readonly team: { readonly id: string } },
    isAlive: () => Promise<boolean>,
  ): Promise<PassThrough>;
  /** Ends every stream. */
  close(): void;
}

/** `build`: of the pages, told with each change: a wall loads a newer one. */
export function createEvents(
  { read }: Database,
  {
    build,
    timing = usualTiming,
  }: { readonly build: string | undefined; readonly timing?: EventTiming | undefined },
): Events {
  const changed = (stamp: string) =>
    `event: changed\ndata: ${JSON.stringify({ stamp, build })}\n\n`;
  const watchers = new Map<string, Set<Watcher>>();
  const stamps = new Map<string, string>();
  let timers: NodeJS.Timeout[] = [];

  const all = () => [...watchers.values()].flatMap((own) => [...own]);
  const tellChanges = async () => {
    for (const [team, stamp] of await readStamps(read, [...watchers.keys()])) {
      if (stamps.get(team) === stamp) continue;
      stamps.set(team, stamp);
      for (const { stream } of watchers.get(team) ?? []) stream.write(changed(stamp));
    }
  };
  /** Not while the database is away: what is shown may be old then. */
  const tellAlive = async () => {
    await tellChanges();
    for (const { stream } of all()) stream.write('event: alive\ndata: {}\n\n');
  };
  const checkSessions = async () => {
    for (const { stream, isAlive } of all()) if (!(await isAlive())) stream.end();
  };
  const forget = (team: string, watcher: Watcher) => {
    const own = watchers.get(team);
    own?.delete(watcher);
    if (own?.size === 0) {
      watchers.delete(team);
      stamps.delete(team);
    }
    if (watchers.size > 0) return;
    for (const timer of timers) clearInterval(timer);
    timers = [];
  };
  // A database that is away for a moment: the next question finds what changed meanwhile.
  const repeat = (task: () => Promise<void>, ms: number) =>
    setInterval(() => void task().catch(() => undefined), ms).unref();

  return {
    async watch({ id: sessionId, team: { id: teamId } }, isAlive) {
      const refused = (most: number, whose: string) =>
        new ApiProblem(
          'rate_limited',
          `More than ${most} open pages of a ${whose}. Retry in 60 s`,
          {
            retryAfter: 60,
          },
        );
      const stamp = await readStamp(read, teamId);
      // From here on nothing waits: many that come at once are counted one by one.
      const own = watchers.get(teamId) ?? new Set();
      const ofSession = [...own].filter((watcher) => watcher.sessionId === sessionId);
      if (ofSession.length >= mostOfSession) throw refused(mostOfSession, 'browser');
      if (own.size >= mostOfTeam) throw refused(mostOfTeam, 'team');
      if (!stamps.has(teamId)) stamps.set(teamId, stamp);
      const stream = new PassThrough();
      const watcher = { stream, sessionId, isAlive };
      stream.once('close', () => forget(teamId, watcher));
      watchers.set(teamId, own.add(watcher));
      if (timers.length === 0)
        timers = [
          repeat(tellChanges, timing.askMs),
          repeat(tellAlive, timing.aliveMs),
          repeat(checkSessions, timing.checkMs),
        ];
      // A page that lost its stream compares the stamp with its own.
      stream.write(`retry: 3000\n${changed(stamp)}`);
      return stream;
    },
    close() {
      for (const { stream } of all()) stream.end();
    },
  };
}

async function readStamps(
  read: Database['read'],
  teams: readonly string[],
): Promise<Map<string, string>> {
  const rows = await read
    .selectFrom('teams')
    .select(['id', 'lastStamp'])
    .where('id', 'in', teams)
    .execute();
  return new Map(rows.map(({ id, lastStamp }) => [id, lastStamp]));
}

/** The stamp of the team's latest change. */
export const readStamp = async (read: Database['read'], teamId: string): Promise<string> =>
  (await readStamps(read, [teamId])).get(teamId) ?? '';
