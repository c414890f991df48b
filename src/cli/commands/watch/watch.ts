/** `cs watch`: shows new and changed records as it happens, each at least once, in the order of their changes. */
import { type Client, type SyncName, sync } from '../../../client/client.ts';
import { NetworkError } from '../../../client/errors.ts';
import { parseDuration } from '../../config/setting-list.ts';
import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { exitCodeOf } from '../../errors/report.ts';
import type { CommandBuilder, Input } from '../../framework/command.ts';
import { localTime, parseSpan, parseWhen } from '../../input/when.ts';
import { createOutput } from '../../output/output.ts';
import type { Row, View } from '../../output/view.ts';
import { findLabels } from '../../resources/find-labels.ts';
import { gather, methodsOf } from '../../resources/methods.ts';
import { column, viewOf } from '../../resources/view.ts';
import { ownerOf, stateFile } from '../../state/state.ts';
import {
  noteDone,
  readWatch,
  saveWatch,
  versionOf,
  type WatchKey,
  type WatchPosition,
} from '../../state/watches.ts';
import { write } from '../../terminal/io.ts';
import { withSpinner } from '../../terminal/spinner.ts';
import { joinList, sanitize } from '../../terminal/text.ts';
import {
  kebabName,
  parseResources,
  resourceArgument,
  resourceOf,
  topLevelResources,
} from '../bulk/resources.ts';
import { readOrigin } from '../connection/origin.ts';
import { formatDuration } from '../connection/server-clock.ts';
import { lockBeside } from '../files/lock.ts';
import { backOffMs, nameOf, pause, runUntilDone } from './exec.ts';

export const watch: CommandBuilder = (command) => {
  command
    .description(
      [
        'Show new and changed records until Ctrl-C, the oldest change first: a line of JSON for each, of several resources with resource, id and record; on a terminal a short line. --jq selects among them.',
        "If the server can't be reached, it retries with growing delays and then shows the missed changes. It doesn't show deleted records. Records that belong to others aren't watched: an event of a car changes the car.",
        '--exec runs a shell command for each change instead: the record is JSON on its stdin, and CS_CHANGE_RESOURCE, CS_CHANGE_ID, CS_CHANGE_NAME and CS_CHANGE_UPDATED_AT tell which one it is. A failed command is retried, and the changes after it wait; with --once it ends after 3 attempts (exit 11).',
        'With --state it goes on where the last run of the same name stopped, for the same team; after a kill, the last changes may come again. The first run begins now, or at --since; earlier records are for `cs export`. One run at a time uses a name.',
      ].join('\n'),
    )
    .addArgument(
      resourceArgument('<resource...>', 'such as cars; `cs schema` lists them', topLevelResources),
    )
    .option('--exec <command>', 'run this shell command for each change')
    .option('--state <name>', 'go on where the last run of this name stopped')
    .option('--once', 'poll once and end; for scheduled jobs, with --state')
    .option('--since <when>', 'start with changes at or after this time (default: now)')
    .option('--every <time>', 'polling interval (default: 5s)');
  command.needs({
    part: 'cars.updatedAt',
    otherwise:
      'a poll goes on from the time of the server (`Date`); without it, the resource is read whole',
  });
  command.examples([
    'cs watch cars',
    'cs watch cars appointments --since "1 hour ago"',
    'cs watch appointments --exec "./notify.sh" --state notified --once',
    'cs watch cars --state arrived --once --jq \'.[] | select(.status == "stored") | .licensePlate\'',
  ]);
  command.workInBulk().handle(run);
};

interface Watched {
  readonly name: SyncName;
  position: WatchPosition;
  /** Undefined without --state. */
  readonly key: WatchKey | undefined;
}

async function run(context: Context, { args, options }: Input): Promise<void> {
  const { io } = context;
  const names = parseResources(args[0], topLevelResources);
  const everyMs =
    options.every === undefined
      ? 5_000
      : (parseDuration(options.every) ?? parseSpan(options.every, '--every'));
  const since =
    options.since === undefined ? undefined : parseWhen(options.since, io.now(), '--since', 'past');
  if (since !== undefined && Date.parse(since) > io.now().getTime())
    throw usage(
      `--since: "${options.since}" is in the future.`,
      'give a time that has passed, such as "1 hour ago" or fri',
    );
  const state = options.state === undefined ? undefined : await openState(context, options.state);
  try {
    const client = await context.client();
    const begin = async (name: SyncName): Promise<Watched> => {
      const key = state && { ...state.key, resource: kebabName(name) };
      const saved = key && readWatch(io, key);
      const start = async () =>
        since === undefined ? now(client, name) : { since, done: new Map() };
      const position = saved ?? (await start());
      // Before the first change is shown, so that none is lost.
      if (key && !saved) saveWatch(io, key, position);
      return { name, position, key };
    };
    const watched = await withSpinner(context, 'Reading what is there', () =>
      Promise.all(names.map(begin)),
    );
    const once = options.once === true;
    if (!once)
      context.note(
        `Watching ${joinList(names.map(kebabName))} on ${client.transport.baseUrl}, every ${formatDuration(everyMs)}. Press Ctrl-C to stop.`,
      );
    const changes = follow(context, { client, watched, everyMs, once });
    if (options.exec === undefined) return await show(context, names, changes);
    for await (const { one, records } of changes)
      for (const record of records) {
        await runUntilDone(context, {
          command: options.exec,
          name: one.name,
          record,
          everyMs,
          once,
        });
        if (one.key) noteDone(io, one.key, record.id, versionOf(record));
      }
  } finally {
    state?.release();
  }
}

/** Exit 7 while another run uses the name: both would handle every change. */
async function openState(context: Context, name: string) {
  const origin = await readOrigin(context);
  const owner = ownerOf(origin.server, origin.team?.id ?? origin.key);
  // Creates the file, or says why it can't be used.
  readWatch(context.io, { owner, name, resource: '' });
  const lock = await lockBeside(`${stateFile(context.io)}-watch-${ownerOf(owner, name)}`);
  if (lock) return { key: { owner, name }, release: () => lock.release() };
  throw new CliError({
    code: 'already_running',
    message: `Another cs watch is running with --state ${name}.`,
    hint: 'wait until it ends, or use another name with --state for each watch',
  });
}

interface Following {
  readonly client: Client;
  readonly watched: readonly Watched[];
  readonly everyMs: number;
  readonly once: boolean;
}

interface Changes {
  readonly one: Watched;
  /** The oldest change first. */
  readonly records: readonly Row[];
}

/**
 * The changes of each poll that has some; they are done when the next ones are asked for. A resource that fails keeps no other one
 * waiting. Throws on errors that a retry can't solve; with `once` on any.
 */
async function* follow(
  { io, warn }: Context,
  { client, watched, everyMs, once }: Following,
): AsyncGenerator<Changes, void> {
  for (let failures = 0; ; ) {
    let failed: { error: Error; name: SyncName } | undefined;
    for (const one of watched) {
      let found: Awaited<ReturnType<typeof poll>>;
      try {
        found = await poll(client, one.name, one.position);
      } catch (error) {
        io.signal.throwIfAborted();
        if (!(error instanceof Error) || !(once || isTransient(error))) throw error;
        failed ??= { error, name: one.name };
        continue;
      }
      const { records, next } = found;
      if (records.length > 0) yield { one, records };
      const moved = records.length > 0 || next.since !== one.position.since;
      one.position = next;
      if (one.key && moved) saveWatch(io, one.key, next);
    }
    if (once && failed) throw failed.error;
    if (once) return;
    if (!failed && failures > 0) warn('The server can be reached again.');
    failures = failed ? failures + 1 : 0;
    const waitMs = backOffMs(everyMs, failures);
    if (failed)
      warn(
        `Couldn't read ${kebabName(failed.name)}: ${failed.error.message}. Retrying in ${formatDuration(waitMs)}.`,
      );
    await pause(waitMs, io.signal);
  }
}

/** Reads all changes before any is shown: an interrupted poll is repeated as a whole. */
async function poll(client: Client, name: SyncName, { since, done }: WatchPosition) {
  const changes = sync(client, name, { ...(since !== undefined && { since }) });
  const all = await gather(changes as AsyncIterable<Row>);
  const next = changes.next ?? since;
  const versions = new Map(all.map((record): [string, string] => [record.id, versionOf(record)]));
  const records = all.filter(({ id }) => done.get(id) !== versions.get(id)).sort(byTime);
  // The next poll returns them again. Without times, all are compared.
  const again = all.filter(({ updatedAt }) => !(Date.parse(updatedAt) < Date.parse(next ?? '')));
  const position: WatchPosition = {
    since: next,
    done: new Map(again.map(({ id }) => [id, versions.get(id) as string])),
  };
  return { records, next: position };
}

const byTime = (a: Row, b: Row): number =>
  Date.parse(a.updatedAt) - Date.parse(b.updatedAt) || (a.id < b.id ? -1 : 1);

/** A write gets its time stamp some time before it becomes visible. */
const overlapMs = 10_000;

/** The position after what is there. */
async function now(client: Client, name: SyncName): Promise<WatchPosition> {
  const { data } = await methodsOf(client, name).list({ limit: 1 });
  const newest = Date.parse(data[0]?.updatedAt) - overlapMs;
  const since = Number.isNaN(newest) ? undefined : new Date(newest).toISOString();
  return (await poll(client, name, { since, done: new Map() })).next;
}

/** Network errors, overload and rate limits. A refused certificate isn't transient. */
const isTransient = (error: Error): boolean =>
  !(
    error instanceof NetworkError &&
    (error.code === 'tls_failed' || error.code === 'unsafe_address')
  ) && [8, 9, 10].includes(exitCodeOf(error));

/** Of several resources, each line names its own. */
const changeView: View = {
  one: 'change',
  many: 'changes',
  columns: [column('resource'), column('id')],
  title: ({ id }) => id,
  fields: ['resource', 'id', 'record'],
};

async function show(
  context: Context,
  names: readonly SyncName[],
  changes: AsyncGenerator<Changes, void>,
): Promise<void> {
  const { io, output } = context;
  if (output.forPeople) {
    for await (const { one, records } of changes)
      await write(io.stdout, records.map((record) => lineOf(one.name, record)).join(''));
    return;
  }
  const [first, second] = names;
  const single = second === undefined ? first : undefined;
  async function* pages(): AsyncGenerator<readonly Row[], void> {
    for await (const { one, records } of changes) {
      const resource = kebabName(one.name);
      yield single ? records : records.map((record) => ({ resource, id: record.id, record }));
    }
  }
  const view = single ? viewOf(single) : changeView;
  // A JSON document would never end.
  const format = output.format === 'json' ? 'ndjson' : output.format;
  const out = await createOutput({
    ...context,
    settings: { ...context.settings, output: format, pager: undefined },
    findLabels: (wanted, how) => findLabels(context, wanted, how),
  });
  try {
    await out.prepare(view);
    await out.list({ view, records: { pages } });
  } finally {
    await out.close();
  }
}

function lineOf(name: SyncName, record: Row): string {
  const what = `${resourceOf(name).singular} ${nameOf(name, record) || record.id}`;
  const did = record.createdAt === record.updatedAt ? 'created' : 'updated';
  return `${sanitize(localTime(record.updatedAt))} ${what} ${did}\n`;
}
