/** `cs watch`: each record that is new or has changed, as it happens. */
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
import { styleFor } from '../../terminal/style.ts';
import { kebab, nearest } from '../../terminal/text.ts';
import { outputAs } from '../bulk/output-as.ts';
import { isVersions } from '../bulk/recent.ts';
import { kebabName, listableResources, resourceArgument, resourceNamed, resourceOf } from '../bulk/resources.ts';
import { isOrigin, type Origin, originOf, readState, refuseOther, writeState } from '../bulk/state-file.ts';
import { spanText } from '../connection/server-clock.ts';
import { ChangeLines } from './change-lines.ts';
import { changesOf, type Position, presentOf, type Watched } from './watcher.ts';

export const watch: CommandBuilder = (command) => {
  command
    .description(
      [
        'Show each record that is new or has changed: on a terminal a line for a person, otherwise the record as a line of JSON. It runs until Ctrl-C.',
        'When the server cannot be reached it says so, waits longer each time, and then shows what was missed. What is deleted is not seen, nor what a filter no longer matches.',
        'With --state it remembers in a file what it has shown and goes on from there the next time. Should it be killed between showing and remembering, the last changes are shown again.',
      ].join('\n'),
    )
    .addArgument(resourceArgument('<resource>', 'such as cars; `cs schema` lists them', listableResources))
    .argument('[above...]', 'for records that lie below others, those: the car of car-events')
    .option('--filter <name=value>', 'only records like this, as in the list: --filter status=stored', collect)
    .option('--since <when>', 'begin with what changed at or after this time, not with now')
    .option('--every <time>', 'how often to look; 5s unless given')
    .option('--state <file>', 'remember there what was shown, and go on from there')
    .option('--once', 'look once and end; for a job that runs now and then, with --state');
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
  const person = context.output.format === 'table';
  const lines = new ChangeLines(watched.name, styleFor(io, 'stdout', settings.color), (wanted) =>
    findLabels(context, wanted, { comfort: true }),
  );
  const memory = options.state === undefined ? undefined : await openMemory(context, resolve(io.cwd, options.state), watched);
  const from =
    memory?.position ??
    (since === undefined ? await presentOf(client, watched, person ? (record) => lines.keep(record) : undefined) : { since, recent: {} });
  // From here on nothing is lost, so it is kept before the first change comes.
  await memory?.save(from);
  let position = from;

  if (!options.once)
    context.note(`Watching ${kebabName(watched.name)} of ${client.transport.baseUrl}, every ${spanText(everyMs)}. Ctrl-C ends it.`);
  const changes = changesOf({
    ...watched,
    ...{ client, from, everyMs, once: options.once === true, signal: io.signal },
    told: async (now) => {
      if (JSON.stringify(now) !== JSON.stringify(position)) await memory?.save(now);
      position = now;
    },
    failed: (error, againInMs) => context.warn(`Not reached: ${error.message}. Trying again in ${spanText(againInMs)}.`),
    reached: () => context.warn('Reached again.'),
  });
  try {
    if (person) for await (const records of changes) await write(io.stdout, await lines.of(records, position.since));
    else await showRecords(context, watched.name, changes);
  } catch (error) {
    if (io.signal.aborted && !memory) tellWhere(context, { args, filters: options.filter ?? [], position });
    throw error;
  }
}

async function readWatched(context: Context, [text, above = []]: Input['args'], filters: readonly string[]): Promise<Watched> {
  const name = resourceNamed(text, listableResources);
  const parents = parentsOf(resourceOf(name));
  if (above.length !== parents.length) {
    const needed = parents.map((parent) => parent.name.toUpperCase()).join(' ');
    throw usage(
      parents.length > 0 ? `${kebabName(name)} lie below other records, so ${needed} is needed.` : `"${above[0]}" is one word too many.`,
      `write it like \`cs watch ${[kebabName(name), needed].filter(Boolean).join(' ')}\`; filters follow --filter`,
    );
  }
  const within = await idsOf(context, name, above);
  return { name, within, query: await readFilters(context, name, filters, within) };
}

/** What was shown, in a file. Exit 7 when the file is about something else. */
async function openMemory(context: Context, path: string, { name, within, query }: Watched) {
  const origin = await originOf(context);
  const about = { resource: kebabName(name), within, query };
  const before = await readState(path, isState);
  if (before) {
    refuseOther(path, before, origin);
    const then = { resource: before.resource, within: before.within, query: before.query };
    if (JSON.stringify(then) !== JSON.stringify(about))
      throw new CliError({
        code: 'other_watch',
        message: `${path} is about ${before.resource}${Object.keys(before.query).length > 0 ? ' with other filters' : ''}, and this watches ${about.resource}.`,
        hint: 'give each watch a file of its own with --state',
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
  isVersions(value.recent);

/** In the format that was asked for. A JSON document would never end, so each record is a line of its own. */
async function showRecords(context: Context, name: SyncName, changes: AsyncGenerator<Row[], void>): Promise<void> {
  const view = viewOf(name);
  const format = context.output.format === 'json' ? 'ndjson' : context.output.format;
  const oneByOne = (async function* () {
    for await (const records of changes) yield* records;
  })();
  const records = Object.assign(oneByOne, { pages: () => changes });
  await outputAs(context, format, view, (output) => output.list({ view, records }));
}

/** The command that goes on where this one was stopped. */
function tellWhere(
  context: Context,
  { args, filters, position }: { args: Input['args']; filters: readonly string[]; position: Position },
): void {
  if (position.since === undefined) return;
  const flags = [...filters.flatMap((filter) => ['--filter', filter]), '--since', position.since, ...connectionFlags(context)];
  context.note(`To go on from here: ${nextCommand(['watch', ...args.flat().filter(Boolean)], flags)}`);
}

/** `--filter name=value`: the filters that the list of a resource has. */

/** What the filters mean to the server; names become ids. Exit 2 for a filter that there is not, 3 for a value that it cannot have. */
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
    if (word === '') throw usage(`--filter "${text}" is no filter.`, `write it like ${known[0] ?? 'name'}=value`);
    const field = fields.find((one) => one.name === fieldNamed(fields, word));
    if (!field) {
      const [close] = nearest(word, known);
      const list = known.length > 0 ? `there is: ${known.join(', ')}` : `${kebabName(name)} have no filters`;
      throw usage(`"${word}" is no filter of ${kebabName(name)}.`, close ? `did you mean ${close}? ${list}` : list);
    }
    return { field, text: text.slice(at + 1).trim() };
  });
  const query: Record<string, unknown> = {};
  const locationFlag = known.includes('location-id') ? '--filter location=NAME' : undefined;
  // The location comes first: what else is named may lie there.
  typed.sort((a, b) => Number(b.field.name === 'locationId') - Number(a.field.name === 'locationId'));
  for (const { field, text } of typed)
    query[field.name] = await readOne(context, field, text, { parents, locationId: query.locationId, locationFlag });
  checkValues(fields, query);
  return query;
}

async function readOne(context: Context, field: Parameters<typeof readValue>[1], text: string, beside: LookupScope): Promise<unknown> {
  if (field.kind === 'boolean') return { true: true, yes: true, false: false, no: false }[text] ?? text;
  return readValue(context, field, field.list ? [text] : text, beside);
}
