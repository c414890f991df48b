/** `cs pending`: what drop-offs, pick-ups, moves and uploads of photos began and didn't finish. */
import { CliError, usage } from '../../errors/exit.ts';
import { exitCodeOf } from '../../errors/exit-code.ts';
import { reportOf } from '../../errors/report.ts';
import type { Command, CommandBuilder } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { addWriteFlags } from '../../framework/flags.ts';
import { localTime } from '../../input/when.ts';
import { showOutcomes } from '../../output/outcomes.ts';
import type { View } from '../../output/view.ts';
import { breakWords, joinList, pluralize } from '../../terminal/text.ts';
import { describeState, isPhotoStep, stepsOf } from '../journal/describe.ts';
import { type Entry, type StoredEntry, typedFlags } from '../journal/entry.ts';
import { originOf } from '../journal/journal.ts';
import { forget, resumeEntry } from '../journal/resume.ts';
import { allEntries, entriesHere, noteFinishing } from '../journal/unfinished.ts';
import type { Resumed } from './shape.ts';

const entryView: View = {
  one: 'unfinished command',
  many: 'unfinished commands',
  columns: [
    { header: 'id', cell: (row) => row.id, neverCut: true },
    { header: 'what', cell: (row) => row.what },
    { header: 'begun', cell: (row, { time }) => time(row.startedAt), neverCut: true },
    { header: 'state', cell: (row) => row.state },
    { header: 'server', cell: (row) => row.server, droppable: true },
  ],
  title: (row) => row.what,
  fields: ['id', 'command', 'what', 'startedAt', 'state', 'server', 'key', 'steps'],
  emptyHint: 'Every command is finished.',
};

const resumedView: View = {
  one: 'command',
  many: 'commands',
  columns: [],
  title: (row) => row.what,
  fields: ['id', 'command', 'what', 'status', 'result', 'error', 'sends', 'asks', 'after'] satisfies (keyof Resumed)[],
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
    .description('List the drop-offs, pick-ups, moves and uploads of photos that were begun on this machine and not finished.')
    .declareOutput(entryView)
    .handle(async (context) => {
      await context.output.list({ view: entryView, records: (await allEntries(context)).map(asRecord) });
    });
  command.examples(['cs pending list', 'cs pending list --json id,what,state']);
}

function addShow(command: Command): void {
  command
    .summary('Show the steps of an unfinished command')
    .description('Show what an unfinished command is about to do: its steps, and which of them are stored.')
    .argument('<id>', 'id of the unfinished command')
    .declareOutput(entryView)
    .handle(async (context, { args: [id] }) => {
      const stored = await findEntry(context, id);
      const { styles } = context;
      const { labelled } = await import('../../output/labelled.ts');
      const { what, startedAt, server } = stored.entry;
      const steps = stepsOf(stored).map(({ step, state, file }) => [file ?? step, state.replace('_', ' ')] as const);
      await context.output.styled(
        asRecord(stored),
        `${styles.title(what)}\n\n${labelled(context, [['Begun', localTime(startedAt)], ['Server', server], ...steps])}`,
      );
    });
  command.examples(['cs pending show 3f1c9a02', 'cs pending show 3f1c9a02 -o json']);
}

function addResume(command: Command): void {
  command
    .summary('Finish unfinished commands')
    .description(
      'Finish unfinished commands of this server and key: all of them, the oldest first, or those with the given ids.\nWhat is stored is not sent again. The first failure stops.\n--dry-run shows what would be sent, in order, and the conflicts with the present state of the server.',
    )
    .argument('[id...]', 'ids of unfinished commands')
    .option('--resend', 'send what the server can tell nothing about; it may be stored twice')
    .declareOutput(resumedView)
    .handle(async (context, { args: [ids], options }) => {
      const entries = await entriesToResume(context, ids);
      return options.dryRun ? preview(context, entries) : resume(context, entries, options.resend);
    });
  addWriteFlags(command);
  command.examples(['cs pending resume --dry-run', 'cs pending resume', 'cs pending resume 3f1c9a02']);
}

function addDiscard(command: Command): void {
  command
    .summary('Forget unfinished commands')
    .description('Forget unfinished commands. What they stored stays; what they did not send is never sent.')
    .argument('<id...>', 'ids of unfinished commands')
    .declareOutput(entryView)
    .handle((context, { args: [ids] }) => discard(context, ids));
  command.examples(['cs pending discard 3f1c9a02', 'cs pending discard 3f1c9a02 --yes']);
}

const asRecord = (stored: StoredEntry) => {
  const { id, command, what, startedAt, server, key } = stored.entry;
  return { id, command, what, startedAt, state: describeState(stored), server, key, steps: stepsOf(stored) };
};

async function findEntry(context: Context, id: string): Promise<StoredEntry> {
  const found = (await allEntries(context)).find(({ entry }) => entry.id === id.toLowerCase());
  if (found) return found;
  throw new CliError({
    code: 'not_found',
    message: `No unfinished command has the id ${id}. It may be finished by now.`,
    hint: 'list them with `cs pending list`',
  });
}

async function entriesToResume(context: Context, ids: readonly string[]): Promise<StoredEntry[]> {
  const entries = ids.length > 0 ? await Promise.all(ids.map((id) => findHere(context, id))) : await entriesHere(context);
  if (entries.length === 0) context.note('Nothing is unfinished on this server.');
  return entries;
}

/** Throws the first conflict, once everything is printed. */
async function preview(context: Context, entries: readonly StoredEntry[]): Promise<void> {
  const { previewEntries } = await import('../journal/preview.ts');
  const previews = await previewEntries(context, entries);
  const results = previews.map(({ conflict, sends, asks, after }, index): Resumed => {
    const { id, command, what } = (entries[index] as StoredEntry).entry;
    return { id, command, what, status: 'planned', result: null, error: errorOf(conflict), sends: [...sends], asks: [...asks], after };
  });
  const lines = results.flatMap((result, index) => previewLines(context, (entries[index] as StoredEntry).entry, result));
  await showOutcomes(context.output, { view: resumedView, outcomes: results, lines });
  const conflict = previews.find((one) => one.conflict !== undefined)?.conflict;
  if (conflict !== undefined) throw conflict;
}

function previewLines({ io }: Context, entry: Entry, { id, what, sends, asks, after, error }: Resumed): string[] {
  const at = typedFlags(entry)?.at ?? entry.startedAt;
  const facts = [
    ...(sends.length > 0 || (after === null && error === null) ? [`sends ${describeSteps(sends)}`] : []),
    ...(asks.length > 0 ? [`asks the server first whether it has ${describeSteps(asks)}`] : []),
    ...(after === null ? [] : [`depends on ${after}, so it is checked when that one is sent`]),
    ...(error === null ? [] : [`conflict: ${error.message}`]),
  ];
  const width = io.stdoutIsTerminal ? (io.columns ?? 80) - indent.length : undefined;
  const lines = facts.flatMap((fact) => breakWords(fact, width).split('\n'));
  return [`${id}  ${what} · ${localTime(String(at))}`, ...lines.map((line) => indent + line)];
}

const indent = ' '.repeat(10);

/** `the event and 2 photos` */
function describeSteps(steps: readonly string[]): string {
  const photos = steps.filter(isPhotoStep).length;
  const requests = steps.filter((step) => !isPhotoStep(step)).map((step) => `the ${step}`);
  return joinList([...requests, ...(photos > 0 ? [pluralize(photos, 'photo', 'photos')] : [])]) || 'nothing';
}

async function resume(context: Context, entries: readonly StoredEntry[], resend: boolean | undefined): Promise<void> {
  const results: Resumed[] = [];
  let failure: unknown;
  for (const stored of entries) {
    const { id, command, what } = stored.entry;
    const named = { id, command, what, result: null, error: null, sends: [], asks: [], after: null };
    if (failure) {
      results.push({ ...named, status: 'not_tried' });
      continue;
    }
    try {
      noteFinishing(context, stored.entry);
      const performed = await resumeEntry(context, stored, { resend });
      if (performed && context.output.forPeople) await performed.print();
      failure = performed?.failure;
      results.push({
        ...named,
        status: performed?.open ? 'unfinished' : 'finished',
        result: (performed?.result ?? null) as Resumed['result'],
        error: errorOf(failure),
      });
    } catch (error) {
      failure = error;
      results.push({ ...named, status: 'unfinished', error: errorOf(error) });
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

/** `2 finished, 1 not finished` */
function summary(results: readonly Resumed[]): string {
  const finished = results.filter(({ status }) => status === 'finished').length;
  const left = results.length - finished;
  return `${pluralize(finished, 'command', 'commands')} finished${left > 0 ? `, ${left} left` : ''}.`;
}

async function findHere(context: Context, id: string): Promise<StoredEntry> {
  const stored = await findEntry(context, id);
  const { server, key } = originOf(context);
  const { entry } = stored;
  if (entry.server === server && entry.key === key) return stored;
  throw new CliError({
    code: 'other_origin',
    message: `The ${entry.what} was begun on ${entry.server} with the key ${entry.key}, not on ${server} with ${key || 'no key'}.`,
    hint: 'choose the profile of that server and key with --profile',
  });
}

async function discard(context: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) throw usage('Missing required argument: ID.', 'list them with `cs pending list`');
  const entries = await Promise.all(ids.map((id) => findEntry(context, id)));
  const { confirm } = await import('../../prompts/confirm.ts');
  const [first] = entries;
  const what =
    entries.length === 1 && first ? `the ${first.entry.what} (${describeState(first)})` : `${entries.length} unfinished commands`;
  await confirm(context, `Forget ${what}?`, { local: true });
  for (const { path, entry } of entries) await forget(path, entry);
  const lines = entries.map(({ entry }) => `forgot the ${entry.what}`);
  await context.output.value(entries.map(asRecord), lines);
}
