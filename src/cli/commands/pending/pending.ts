/** `cs pending`: what drop-offs, pick-ups, moves and uploads of photos began and didn't finish. */

import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { exitCodeOf, reportOf } from '../../errors/report.ts';
import type { Command, CommandBuilder } from '../../framework/command.ts';
import { addWriteFlags } from '../../framework/flags.ts';
import { localTime } from '../../input/when.ts';
import { showOutcomes } from '../../output/outcomes.ts';
import { timeColumn, type View } from '../../output/view.ts';
import { breakWords, capitalized, joinList, pluralize } from '../../terminal/text.ts';
import { settingNames } from '../journal/command-words.ts';
import { describeState, isPhotoStep, stateWords, stepsOf } from '../journal/describe.ts';
import { noteOtherKey, noteOtherName, noteOtherServer } from '../journal/elsewhere.ts';
import { type CommandName, type Entry, removeEntry, type StoredEntry } from '../journal/entry.ts';
import { eventTime, inEventOrder } from '../journal/event-order.ts';
import {
  type DamagedFile,
  damagedText,
  entriesHere,
  readWholeJournal,
  type WholeJournal,
} from '../journal/read-journal.ts';
import { forget, type ResumeOptions, resumeEntry } from '../journal/resume.ts';
import { discardCommand } from '../journal/resume-command.ts';
import { noteFinishing } from '../journal/unfinished.ts';
import { requireHere } from './require-here.ts';
import type { Resumed } from './shape.ts';

const entryView: View = {
  one: 'unfinished command',
  many: 'unfinished commands',
  columns: [
    { header: 'id', cell: (row) => row.id, neverCut: true },
    { header: 'what', cell: (row) => row.what, minCells: 24 },
    { ...timeColumn('time', 'at'), droppable: undefined },
    { header: 'state', cell: (row) => row.state },
    { header: 'server', cell: (row) => row.server, droppable: true },
  ],
  title: (row) => row.what,
  fields: [
    'id',
    'command',
    'what',
    'at',
    'startedAt',
    'state',
    'server',
    'key',
    'steps',
    'queued',
  ] satisfies (keyof PendingRecord)[],
  emptyHint: 'Every command is finished.',
};

const resumedView: View = {
  one: 'command',
  many: 'commands',
  columns: [],
  title: (row) => row.what,
  fields: [
    'id',
    'command',
    'what',
    'status',
    'result',
    'error',
    'sends',
    'asks',
    'after',
  ] satisfies (keyof Resumed)[],
};

export const pending: CommandBuilder = (command) => {
  addList(command.command('list'));
  addShow(command.command('show'));
  addResume(command.command('resume'));
  addDiscard(command.command('discard'));
  command.examples(['cs pending list', 'cs pending resume', 'cs pending discard 3f1c9a02']);
};

function addList(command: Command): void {
  command
    .summary('List unfinished commands')
    .description(
      'List the drop-offs, pick-ups, moves and uploads of photos that were begun on this machine and not finished, in the order in which they happened: `cs pending resume` sends them in this order.\nA damaged one stays in the list until it is forgotten: check whether it is stored.',
    )
    .declareOutput(entryView)
    .handle(async (context) => {
      const { entries, damaged } = await readAndTell(context);
      await context.output.list({
        view: entryView,
        records: [...damaged.map(asDamaged), ...inEventOrder(entries).map(asRecord)],
      });
    });
  command.examples(['cs pending list', 'cs pending list --json=id,what,state']);
}

function addShow(command: Command): void {
  command
    .summary('Show the steps of an unfinished command')
    .description(
      'Show what an unfinished command is about to do: its steps, and which of them are stored.',
    )
    .argument('<id>', 'id of the unfinished command')
    .declareOutput(entryView)
    .handle(async (context, { args: [id] }) => {
      const stored = await findEntry(context, id);
      const { styles } = context;
      const { labelled } = await import('../../output/labelled.ts');
      const { what, startedAt, server } = stored.entry;
      const steps = stepsOf(stored).map(
        ({ step, state, file }) =>
          [step.replace('-', ' '), [stateWords[state], file].filter(Boolean).join(' · ')] as const,
      );
      await context.output.styled(
        asRecord(stored),
        `${styles.title(what)}\n\n${labelled(context, [['Begun', localTime(startedAt)], ['Server', server], ['State', describeState(stored)], ...queuedFacts(stored.entry), ...steps])}`,
      );
    });
  command.examples(['cs pending show 3f1c9a02', 'cs pending show 3f1c9a02 -o json']);
}

function addResume(command: Command): void {
  command
    .summary('Finish unfinished commands')
    .description(
      'Finish unfinished commands of this server and team: all of them, or those with the given ids, in the order in which they happened.\nWhat is stored is not sent again. The first failure stops.\n--dry-run shows what would be sent, in order, and the conflicts with the present state of the server.',
    )
    .argument('[id...]', 'ids of unfinished commands')
    .option('--resend', 'send what the server can tell nothing about; it may be stored twice')
    .option(
      '--same-team',
      'finish what another key began for the same team, or another address of it',
    )
    .option(
      '--anyway',
      'store what was queued although its car is elsewhere by now, or another car has its name',
    )
    .option(
      '--present-time',
      "use the server's time where it refuses that of queued work, such as after a wrong clock; not where the car has a later event",
    )
    .declareOutput(resumedView)
    .handle(async (context, { args: [ids], options }) => {
      const entries = await entriesToResume(context, ids, options.sameTeam === true);
      return options.dryRun
        ? preview(context, entries, options)
        : resume(context, entries, options);
    });
  addWriteFlags(command);
  command.examples([
    'cs pending resume --dry-run',
    'cs pending resume',
    'cs pending resume 3f1c9a02',
  ]);
}

function addDiscard(command: Command): void {
  command
    .summary('Forget unfinished commands')
    .description(
      'Forget unfinished commands. What they stored stays; what they did not send is never sent.',
    )
    .argument('<id...>', 'ids of unfinished commands')
    .declareOutput(entryView)
    .handle((context, { args: [ids] }) => discard(context, ids));
  command.examples(['cs pending discard 3f1c9a02', 'cs pending discard 3f1c9a02 --yes']);
}

type PendingRecord = ReturnType<typeof asRecord>;

const asRecord = (stored: StoredEntry) => {
  const { id, command, what, startedAt, server, key, queued = null } = stored.entry;
  return {
    id,
    command,
    what,
    at: eventTime(stored.entry),
    startedAt,
    state: describeState(stored),
    server,
    key,
    steps: stepsOf(stored),
    queued,
  };
};

/** Nothing tells how far it came. */
const asDamaged = ({
  id,
  command,
  startedAt,
  entry,
}: DamagedFile): Record<keyof PendingRecord, unknown> => ({
  id,
  command: command ?? null,
  what: entry?.what ?? (command ? whatWords[command] : 'drop-off, pick-up, move or photos'),
  at: entry ? eventTime(entry) : startedAt,
  startedAt,
  state: 'damaged',
  server: entry?.server ?? null,
  key: entry?.key ?? null,
  steps: [],
  queued: entry?.queued ?? null,
});

const whatWords: Readonly<Record<CommandName, string>> = {
  dropoff: 'drop-off',
  pickup: 'pick-up',
  move: 'move',
  photos: 'photos',
};

/** What was typed, with the time that it meant. Photos are steps. */
const queuedFacts = ({ queued }: Entry): [label: string, value: string][] =>
  Object.entries(queued ?? {}).flatMap(([name, value]) => {
    if (typeof value !== 'string' || value === '' || settingNames.has(name)) return [];
    return [name === 'at' ? ['Time', localTime(value)] : [capitalized(name), value]];
  });

async function readAndTell(context: Context): Promise<WholeJournal> {
  const journal = await readWholeJournal(context);
  for (const one of journal.damaged) context.warn(damagedText(one));
  return journal;
}

async function findEntry(context: Context, id: string): Promise<StoredEntry> {
  const { entries, damaged } = await readWholeJournal(context);
  const found = entries.find(({ entry }) => entry.id === id.toLowerCase());
  if (found) return found;
  const lost = damaged.find((one) => one.id === id.toLowerCase());
  if (lost)
    throw new CliError({
      code: 'state_unusable',
      message: damagedText(lost),
      hint: `once you know what is stored, forget it with \`${discardCommand(lost)}\``,
      details: { id: lost.id, path: lost.aside },
    });
  throw new CliError({
    code: 'not_found',
    message: `No unfinished command has the id ${id}. It may be finished by now.`,
    hint: 'list them with `cs pending list`',
  });
}

/** In the order in which they are sent. */
async function entriesToResume(
  context: Context,
  ids: readonly string[],
  sameTeam: boolean,
): Promise<readonly StoredEntry[]> {
  if (ids.length > 0) {
    const found = await Promise.all(ids.map((id) => findEntry(context, id)));
    await requireHere(context, found, sameTeam);
    return inEventOrder(found);
  }
  const { entries: all } = await readAndTell(context);
  const { own, ofOtherKey, ofOtherName } = await entriesHere(context, all, { mayAsk: true });
  if (sameTeam) return inEventOrder([...own, ...ofOtherKey]);
  if (own.length === 0) context.note('Nothing is unfinished on this server.');
  noteOtherKey(context, ofOtherKey);
  noteOtherName(context, ofOtherName);
  const known = [...own, ...ofOtherKey, ...ofOtherName];
  noteOtherServer(
    context,
    all.filter((stored) => !known.includes(stored)),
  );
  return inEventOrder(own);
}

/** Throws the first conflict, once everything is printed. */
async function preview(
  context: Context,
  entries: readonly StoredEntry[],
  options: ResumeOptions,
): Promise<void> {
  const { previewEntries } = await import('../journal/preview.ts');
  const previews = await previewEntries(context, entries, options);
  const results = previews.map(({ conflict, sends, asks, after }, index): Resumed => {
    const { id, command, what } = (entries[index] as StoredEntry).entry;
    return {
      id,
      command,
      what,
      status: 'planned',
      result: null,
      error: errorOf(conflict),
      sends: [...sends],
      asks: [...asks],
      after,
    };
  });
  const lines = results.flatMap((result, index) =>
    previewLines(context, (entries[index] as StoredEntry).entry, result),
  );
  await showOutcomes(context.output, { view: resumedView, outcomes: results, lines });
  const conflict = previews.find((one) => one.conflict !== undefined)?.conflict;
  if (conflict !== undefined) throw conflict;
}

function previewLines(
  { io }: Context,
  entry: Entry,
  { id, what, sends, asks, after, error }: Resumed,
): string[] {
  const facts = [
    ...(sends.length > 0 || (after === null && error === null)
      ? [`sends ${describeSteps(sends)}`]
      : []),
    ...(asks.length > 0 ? [`asks the server first whether it has ${describeSteps(asks)}`] : []),
    ...(after === null ? [] : [`depends on ${after}, so it is checked when that one is sent`]),
    ...(error === null ? [] : [`conflict: ${error.message}`]),
  ];
  const width = io.stdoutIsTerminal ? (io.columns ?? 80) - indent.length : undefined;
  const lines = facts.flatMap((fact) => breakWords(fact, width).split('\n'));
  return [`${id}  ${what} · ${localTime(eventTime(entry))}`, ...lines.map((line) => indent + line)];
}

const indent = ' '.repeat(10);

/** `the event and 2 photos` */
function describeSteps(steps: readonly string[]): string {
  const photos = steps.filter(isPhotoStep).length;
  const requests = steps.filter((step) => !isPhotoStep(step)).map((step) => `the ${step}`);
  return (
    joinList([...requests, ...(photos > 0 ? [pluralize(photos, 'photo', 'photos')] : [])]) ||
    'nothing'
  );
}

async function resume(
  context: Context,
  entries: readonly StoredEntry[],
  options: ResumeOptions,
): Promise<void> {
  const results: Resumed[] = [];
  let failure: unknown;
  for (const stored of entries) {
    const { id, command, what } = stored.entry;
    const named = {
      id,
      command,
      what,
      result: null,
      error: null,
      sends: [],
      asks: [],
      after: null,
    };
    if (failure) {
      results.push({ ...named, status: 'not_tried' });
      continue;
    }
    noteFinishing(context, stored.entry);
    const finished = await resumeEntry(context, stored, { ...options, queue: entries }).catch(
      (error: unknown) => ({
        error,
        isOpen: true,
      }),
    );
    if (typeof finished === 'string') {
      results.push({ ...named, status: finished });
    } else if ('performed' in finished) {
      const { performed } = finished;
      if (context.output.forPeople) await performed.print();
      failure = performed.failure;
      const status = performed.open ? 'unfinished' : 'finished';
      results.push({
        ...named,
        status,
        result: performed.result as Resumed['result'],
        error: errorOf(failure),
      });
    } else {
      failure = finished.error;
      results.push({
        ...named,
        status: finished.isOpen ? 'unfinished' : 'refused',
        error: errorOf(failure),
      });
    }
  }
  if (!context.output.forPeople) await context.output.list({ view: resumedView, records: results });
  else context.note(summary(results));
  if (failure) throw failure;
}

const errorOf = (error: unknown): Resumed['error'] => {
  if (error === undefined) return null;
  const { code, message } = reportOf(error);
  return { code, message, exitCode: exitCodeOf(error) };
};

/** `2 commands finished, 1 refused, 3 left.` */
function summary(results: readonly Resumed[]): string {
  const count = (...statuses: Resumed['status'][]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  const others = Object.entries({
    refused: count('refused'),
    forgotten: count('forgotten'),
    left: count('unfinished', 'not_tried'),
  });
  const parts = others
    .filter(([, number]) => number > 0)
    .map(([words, number]) => `${number} ${words}`);
  return `${[`${pluralize(count('finished', 'gone'), 'command', 'commands')} finished`, ...parts].join(', ')}.`;
}

async function discard(context: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0)
    throw usage('Missing required argument: ID.', 'list them with `cs pending list`');
  const { damaged } = await readWholeJournal(context);
  const isOf = (one: DamagedFile) => ids.some((id) => id.toLowerCase() === one.id);
  const lost = damaged.filter(isOf);
  const whole = ids.filter((id) => !lost.some((one) => one.id === id.toLowerCase()));
  const entries = await Promise.all(whole.map((id) => findEntry(context, id)));
  const { confirm } = await import('../../prompts/confirm.ts');
  const named = [
    ...entries.map((stored) => `the ${stored.entry.what} (${describeState(stored)})`),
    ...lost.map((one) => `the damaged journal of the ${asDamaged(one).what}`),
  ];
  await confirm(
    context,
    `Forget ${named.length === 1 ? named[0] : `${named.length} unfinished commands`}?`,
    { local: true },
  );
  for (const { path, entry } of entries) await forget(path, entry);
  for (const { aside } of lost) await removeEntry(aside);
  const records = [...entries.map(asRecord), ...lost.map(asDamaged)];
  await context.output.value(
    records,
    records.map(({ what }) => `forgot the ${what}`),
  );
}
