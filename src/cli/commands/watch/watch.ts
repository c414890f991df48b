/** `cs watch`: shows new and changed records as it happens. */
import { resolve } from 'node:path';
import { parseDuration } from '../../config/setting-list.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import type { CommandBuilder, Input } from '../../framework/command.ts';
import { collect } from '../../framework/flags.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { parseSpan, parseWhen } from '../../input/when.ts';
import type { Row, View } from '../../output/view.ts';
import { findLabels } from '../../resources/find-labels.ts';
import { column, viewOf } from '../../resources/view.ts';
import { write } from '../../terminal/io.ts';
import { withSpinner } from '../../terminal/spinner.ts';
import { stylesFor } from '../../terminal/style.ts';
import { joinList } from '../../terminal/text.ts';
import { outputAs } from '../bulk/output-as.ts';
import { kebabName, listableResources, resourceArgument } from '../bulk/resources.ts';
import { formatDuration } from '../connection/server-clock.ts';
import { readWatched } from './arguments.ts';
import { ChangeLines } from './change-lines.ts';
import { openState } from './state.ts';
import {
  type Changes,
  currentPosition,
  type Position,
  type Watched,
  watchChanges,
} from './watcher.ts';

export const watch: CommandBuilder = (command) => {
  command
    .description(
      [
        'Show new and changed records until Ctrl-C: readable lines on a terminal, otherwise one line of JSON per record.',
        "If the server can't be reached, it retries with growing delays and then shows the missed changes. It doesn't show deleted records, or records that no longer match a filter.",
        'Of several resources, each line of JSON has resource, id and record; write filters like cars.status=stored.',
        '--exec runs a shell command for each change instead of showing it: the record is JSON on its stdin, and CS_CHANGE_RESOURCE, CS_CHANGE_ID, CS_CHANGE_NAME, CS_CHANGE_UPDATED_AT and CS_CHANGE_PARENT_ID tell which one it is. Changes come one after the other, the oldest first. A failed command is retried, and the changes after it wait; with --once it ends after 3 attempts (exit 11).',
        'With --state it remembers its position in a file and continues there the next time. If it is killed before it saves, it shows the last changes again, or runs the command for the last change again. One run at a time uses a file.',
      ].join('\n'),
    )
    .addArgument(
      resourceArgument('<resource>', 'such as cars; `cs schema` lists them', listableResources),
    )
    .argument(
      '[more...]',
      'more resources; after a resource whose records belong to others, their parents: the car of car-events',
    )
    .option(
      '--filter <name=value>',
      'a filter of the list, such as status=stored; repeatable',
      collect,
    )
    .option('--since <when>', 'start with changes at or after this time (default: now)')
    .option('--exec <command>', 'run this shell command for each change')
    .option('--every <time>', 'polling interval (default: 5s)')
    .option('--state <file>', 'remember the position in this file, and continue there')
    .option('--once', 'poll once and end; for scheduled jobs, with --state');
  command.needs({
    part: 'cars.updatedAt',
    otherwise:
      'a poll goes on from the time of the server (`Date`); without it, the resource is read whole',
  });
  command.examples([
    'cs watch cars',
    'cs watch cars --filter status=stored --since "1 hour ago"',
    'cs watch car-events "WN AB 123" --every 30s',
    'cs watch cars appointments --filter cars.status=stored',
    'cs watch appointments --exec "./notify.sh" --state seen.json --once',
    "cs watch appointments --state seen.json --once -o ndjson | jq -r '.title'",
  ]);
  command.workInBulk().handle(run);
};

async function run(context: Context, { args, options }: Input): Promise<void> {
  const { io } = context;
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
  const words: string[] = args.flat().filter((word) => word !== undefined);
  const watched = await readWatched(context, words, options.filter ?? []);
  const { state } = options;
  const open = () => openState(context, resolve(io.cwd, state), watched);
  const saved =
    state === undefined ? undefined : await withSpinner(context, 'Reading the state', open);
  try {
    await watchFrom(context, { options, words, watched, saved, everyMs, since });
  } finally {
    saved?.close();
  }
}

interface Watching {
  readonly options: Input['options'];
  /** As they were typed. */
  readonly words: readonly string[];
  readonly watched: readonly Watched[];
  readonly saved: Awaited<ReturnType<typeof openState>> | undefined;
  readonly everyMs: number;
  /** --since */
  readonly since: string | undefined;
}

async function watchFrom(
  context: Context,
  { options, words, watched, saved, everyMs, since }: Watching,
): Promise<void> {
  const { io, settings } = context;
  const client = await context.client();
  const readable = context.output.forPeople && options.exec === undefined;
  const lines = watched.map(
    ({ name }) =>
      new ChangeLines(name, stylesFor(io, 'stdout', settings.color), (wanted) =>
        findLabels(context, wanted, { bestEffort: true }),
      ),
  );
  const start = async (one: Watched, index: number) =>
    since === undefined
      ? currentPosition(
          client,
          one,
          readable ? (record) => lines[index]?.remember(record) : undefined,
        )
      : { since, recent: {} };
  const positions: Position[] = saved?.positions
    ? [...saved.positions]
    : await withSpinner(context, 'Reading what is there', () => Promise.all(watched.map(start)));
  // Save before the first change, so that none is lost.
  await saved?.save(positions);
  const held = new Set<number>();
  const advance = async (index: number, now: Position) => {
    if (held.has(index)) return;
    const moved = JSON.stringify(now) !== JSON.stringify(positions[index]);
    positions[index] = now;
    if (moved) await saved?.save(positions);
  };

  const namesOf = (indexes: Iterable<number>) =>
    joinList(Array.from(indexes, (index) => kebabName((watched[index] as Watched).name)));
  if (!options.once)
    context.note(
      `Watching ${namesOf(watched.keys())} on ${client.transport.baseUrl}, every ${formatDuration(everyMs)}. Press Ctrl-C to stop.`,
    );
  const changes = watchChanges({
    ...{
      client,
      watched,
      from: positions,
      everyMs,
      once: options.once === true,
      signal: io.signal,
    },
    onShown: advance,
    onFailure: ({ error, indexes, againInMs }) => {
      const what =
        indexes.length === watched.length ? 'reach the server' : `read ${namesOf(indexes)}`;
      context.warn(`Couldn't ${what}: ${error.message}. Retrying in ${formatDuration(againInMs)}.`);
    },
    onRecovery: (indexes) =>
      context.warn(
        `${indexes.length === watched.length ? 'The server can be reached' : `${namesOf(indexes)} can be read`} again.`,
      ),
  });
  try {
    if (options.exec !== undefined) {
      const { runForChanges } = await import('./exec.ts');
      await runForChanges(context, {
        ...{
          command: options.exec,
          watched,
          changes,
          positions,
          advance,
          everyMs,
          once: options.once === true,
        },
        hold: (index) => void held.add(index),
      });
    } else if (readable)
      for await (const { index, records } of changes)
        await write(
          io.stdout,
          (await lines[index]?.format(records, positions[index]?.since)) ?? '',
        );
    else await showRecords(context, watched, changes);
  } catch (error) {
    if (io.signal.aborted && !saved) noteResume(context, { words, options, positions });
    throw error;
  }
}

/** Of several resources, each line names its own. */
const changeView: View = {
  one: 'change',
  many: 'changes',
  columns: [column('resource'), column('id')],
  title: ({ id }) => id,
  fields: ['resource', 'id', 'record'],
};

/** A JSON document would never end, so JSON becomes ndjson. */
async function showRecords(
  context: Context,
  watched: readonly Watched[],
  changes: AsyncGenerator<Changes, void>,
): Promise<void> {
  const [first, second] = watched;
  const several = first === undefined || second !== undefined;
  const view = several ? changeView : viewOf(first.name);
  const format = context.output.format === 'json' ? 'ndjson' : context.output.format;
  async function* pages(): AsyncGenerator<readonly Row[], void> {
    for await (const { index, records } of changes) {
      const resource = kebabName((watched[index] as Watched).name);
      yield several ? records.map((record) => ({ resource, id: record.id, record })) : records;
    }
  }
  await outputAs(context, format, view, (output) => output.list({ view, records: { pages } }));
}

/** Prints the command that continues here. */
function noteResume(
  context: Context,
  {
    words,
    options,
    positions,
  }: { words: readonly string[]; options: Input['options']; positions: readonly Position[] },
): void {
  // The earliest, so that no change of any resource is lost.
  const [since] = positions
    .map((position) => position.since)
    .sort((a, b) => Date.parse(a ?? '') - Date.parse(b ?? ''));
  if (since === undefined || positions.some((position) => position.since === undefined)) return;
  const filters: readonly string[] = options.filter ?? [];
  const exec = options.exec === undefined ? [] : ['--exec', options.exec];
  const every = options.every === undefined ? [] : ['--every', options.every];
  const flags = [
    ...filters.flatMap((filter) => ['--filter', filter]),
    ...exec,
    ...every,
    '--since',
    since,
    ...connectionFlags(context),
  ];
  context.note(`Continue here with: ${nextCommand(['watch', ...words], flags)}`);
}
