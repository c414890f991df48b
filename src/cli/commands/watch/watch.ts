/** `cs watch`: shows new and changed records as it happens. */
import { resolve } from 'node:path';
import type { SyncName } from '../../../client/client.ts';
import { parseDuration } from '../../config/setting-list.ts';
import { checkValues, fieldNamed, readValue } from '../../crud/fields.ts';
import { filterFields } from '../../crud/list.ts';
import { idsOf, parentsOf } from '../../crud/operation.ts';
import { viewOf } from '../../crud/view.ts';
import { CliError, usage } from '../../errors/exit.ts';
import type { CommandBuilder, Input } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { collect } from '../../framework/flags.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { isObject } from '../../input/plain-object.ts';
import { parseSpan, parseWhen } from '../../input/when.ts';
import { findLabels } from '../../lookup/find-labels.ts';
import type { LookupScope } from '../../lookup/scope.ts';
import type { Row } from '../../output/view.ts';
import { write } from '../../terminal/io.ts';
import { stylesFor } from '../../terminal/style.ts';
import { kebab, nearest } from '../../terminal/text.ts';
import { outputAs } from '../bulk/output-as.ts';
import { isVersionMap } from '../bulk/recent.ts';
import { kebabName, listableResources, parseResource, resourceArgument, resourceOf } from '../bulk/resources.ts';
import { isOrigin, type Origin, readOrigin, readState, requireSameOrigin, writeState } from '../bulk/state-file.ts';
import { formatDuration } from '../connection/server-clock.ts';
import { ChangeLines } from './change-lines.ts';
import { currentPosition, type Position, type Watched, watchChanges } from './watcher.ts';

export const watch: CommandBuilder = (command) => {
  command
    .description(
      [
        'Show new and changed records until Ctrl-C: readable lines on a terminal, otherwise one line of JSON per record.',
        "If the server can't be reached, it retries with growing delays and then shows the missed changes. It doesn't show deleted records, or records that no longer match a filter.",
        'With --state it remembers its position in a file and continues there the next time. If it is killed before it saves, it shows the last changes again.',
      ].join('\n'),
    )
    .addArgument(resourceArgument('<resource>', 'such as cars; `cs schema` lists them', listableResources))
    .argument('[parent...]', 'the parents of records that belong to others: the car of car-events')
    .option('--filter <name=value>', 'a filter of the list, such as status=stored; repeatable', collect)
    .option('--since <when>', 'start with changes at or after this time (default: now)')
    .option('--every <time>', 'polling interval (default: 5s)')
    .option('--state <file>', 'remember the position in this file, and continue there')
    .option('--once', 'poll once and end; for scheduled jobs, with --state');
  command.needs({ part: 'cars.updatedAt', otherwise: 'each poll reads the resource whole' });
  command.examples([
    'cs watch cars',
    'cs watch cars --filter status=stored --since "1 hour ago"',
    'cs watch car-events "WN AB 123" --every 30s',
    "cs watch appointments --state seen.json --once -o ndjson | jq -r '.title'",
  ]);
  command.handle(run);
};

interface State extends Origin {
  readonly version: 1;
  readonly resource: string;
  readonly within: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly since: string | null;
  readonly recent: Position['recent'];
}

async function run(context: Context, { args, options }: Input): Promise<void> {
  const { io, settings } = context;
  const everyMs = options.every === undefined ? 5_000 : (parseDuration(options.every) ?? parseSpan(options.every, '--every'));
  const since = options.since === undefined ? undefined : parseWhen(options.since, io.now(), '--since');
  const watched = await readWatched(context, args, options.filter ?? []);
  const client = await context.client();
  const readable = context.output.forPeople;
  const lines = new ChangeLines(watched.name, stylesFor(io, 'stdout', settings.color), (wanted) =>
    findLabels(context, wanted, { bestEffort: true }),
  );
  const saved = options.state === undefined ? undefined : await openState(context, resolve(io.cwd, options.state), watched);
  const from =
    saved?.position ??
    (since === undefined
      ? await currentPosition(client, watched, readable ? (record) => lines.remember(record) : undefined)
      : { since, recent: {} });
  // Save before the first change, so that none is lost.
  await saved?.save(from);
  let position = from;

  if (!options.once)
    context.note(
      `Watching ${kebabName(watched.name)} on ${client.transport.baseUrl}, every ${formatDuration(everyMs)}. Press Ctrl-C to stop.`,
    );
  const changes = watchChanges({
    ...watched,
    ...{ client, from, everyMs, once: options.once === true, signal: io.signal },
    onShown: async (now) => {
      if (JSON.stringify(now) !== JSON.stringify(position)) await saved?.save(now);
      position = now;
    },
    onFailure: (error, retryInMs) => context.warn(`Couldn't reach the server: ${error.message}. Retrying in ${formatDuration(retryInMs)}.`),
    onRecovery: () => context.warn('The server can be reached again.'),
  });
  try {
    if (readable) for await (const records of changes) await write(io.stdout, await lines.format(records, position.since));
    else await showRecords(context, watched.name, changes);
  } catch (error) {
    if (io.signal.aborted && !saved) noteResume(context, { args, filters: options.filter ?? [], position });
    throw error;
  }
}

async function readWatched(context: Context, [text, parentArguments = []]: Input['args'], filters: readonly string[]): Promise<Watched> {
  const name = parseResource(text, listableResources);
  const parents = parentsOf(resourceOf(name));
  if (parentArguments.length !== parents.length) {
    const needed = parents.map((parent) => parent.name.toUpperCase()).join(' ');
    throw usage(
      parents.length > 0
        ? `Missing ${needed}: ${kebabName(name)} belong to other records.`
        : `Unexpected argument "${parentArguments[0]}".`,
      `write it like \`cs watch ${[kebabName(name), needed].filter(Boolean).join(' ')}\`; write filters with --filter`,
    );
  }
  const within = await idsOf(context, name, parentArguments);
  return { name, within, query: await readFilters(context, name, filters, within) };
}

/** The position in the state file. Exit 7 if the file belongs to another watch. */
async function openState(context: Context, path: string, { name, within, query }: Watched) {
  const origin = await readOrigin(context);
  const about = { resource: kebabName(name), within, query };
  const before = await readState(path, isState);
  if (before) {
    requireSameOrigin(path, before, origin);
    const then = { resource: before.resource, within: before.within, query: before.query };
    if (JSON.stringify(then) !== JSON.stringify(about))
      throw new CliError({
        code: 'other_watch',
        message: `${path} belongs to a watch of ${before.resource}${Object.keys(before.query).length > 0 ? ' with other filters' : ''}, not of ${about.resource}.`,
        hint: 'use another file with --state for each watch',
        details: { before: then, now: about },
      });
  }
  return {
    position: before && { since: before.since ?? undefined, recent: before.recent },
    save: ({ since, recent }: Position) =>
      writeState(path, { version: 1, ...origin, ...about, since: since ?? null, recent } satisfies State),
  };
}

const isState = (value: unknown): value is State =>
  isObject(value) &&
  value.version === 1 &&
  isOrigin(value) &&
  'resource' in value &&
  'within' in value &&
  'query' in value &&
  isObject(value.query) &&
  'since' in value &&
  (value.since === null || typeof value.since === 'string') &&
  'recent' in value &&
  isVersionMap(value.recent);

/** A JSON document would never end, so JSON becomes ndjson. */
async function showRecords(context: Context, name: SyncName, changes: AsyncGenerator<Row[], void>): Promise<void> {
  const view = viewOf(name);
  const format = context.output.format === 'json' ? 'ndjson' : context.output.format;
  const oneByOne = (async function* () {
    for await (const records of changes) yield* records;
  })();
  const records = Object.assign(oneByOne, { pages: () => changes });
  await outputAs(context, format, view, (output) => output.list({ view, records }));
}

/** Prints the command that continues here. */
function noteResume(
  context: Context,
  { args, filters, position }: { args: Input['args']; filters: readonly string[]; position: Position },
): void {
  if (position.since === undefined) return;
  const flags = [...filters.flatMap((filter) => ['--filter', filter]), '--since', position.since, ...connectionFlags(context)];
  context.note(`Continue here with: ${nextCommand(['watch', ...args.flat().filter(Boolean)], flags)}`);
}

/** Reads `--filter name=value` into a query; names become ids. Exit 2 for an unknown filter, 3 for an invalid value. */
async function readFilters(
  context: Context,
  name: SyncName,
  given: readonly string[],
  parents: readonly string[],
): Promise<Record<string, unknown>> {
  const fields = filterFields(resourceOf(name));
  const known = fields.map((field) => kebab(field.name));
  const typed = given.map((text) => {
    const at = text.indexOf('=');
    const word = text.slice(0, Math.max(at, 0)).trim();
    if (word === '') throw usage(`Invalid --filter "${text}".`, `write it like ${known[0] ?? 'name'}=value`);
    const field = fields.find((one) => one.name === fieldNamed(fields, word));
    if (!field) {
      const [close] = nearest(word, known);
      const list = known.length > 0 ? `choose from ${known.join(', ')}` : `${kebabName(name)} have no filters`;
      throw usage(`"${word}" isn't a filter of ${kebabName(name)}.`, close ? `did you mean ${close}? ${list}` : list);
    }
    return { field, text: text.slice(at + 1).trim() };
  });
  const query: Record<string, unknown> = {};
  const locationFlag = known.includes('location-id') ? '--filter location=NAME' : undefined;
  // The location first: other names are looked up there.
  typed.sort((a, b) => Number(b.field.name === 'locationId') - Number(a.field.name === 'locationId'));
  for (const { field, text } of typed)
    query[field.name] = await readOne(context, field, text, { parents, locationId: query.locationId, locationFlag });
  checkValues(fields, query);
  return query;
}

async function readOne(context: Context, field: Parameters<typeof readValue>[1], text: string, scope: LookupScope): Promise<unknown> {
  if (field.kind === 'boolean') return { true: true, yes: true, false: false, no: false }[text] ?? text;
  return readValue(context, field, field.list ? [text] : text, scope);
}
