/** `cs pending`: what drop-offs, pick-ups, moves and uploads of photos began and didn't finish. */

import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isFinalError } from '../../errors/final.ts';
import { reportOf, sentence } from '../../errors/report.ts';
import type { Command, CommandBuilder } from '../../framework/command.ts';
import { addWriteFlags } from '../../framework/flags.ts';
import { localMoment, localTime } from '../../input/when.ts';
import { labelled } from '../../output/labelled.ts';
import { timeColumn, type View } from '../../output/view.ts';
import { findWork, openWork, readSteps, removeWork, type Work } from '../../state/work.ts';
import { joinList, pluralize } from '../../terminal/text.ts';
import { type FacilityHere, facilityOf } from '../counter/facility.ts';
import { type Finished, planQueued, requestsOf, sendAll, shownOf } from '../counter/finish.ts';
import {
  alreadyRunning,
  isAlreadyRunning,
  lockWork,
  pendingCommand,
  stepWords,
} from '../counter/journal.ts';
import { linesOf } from '../counter/new-car.ts';
import { printRequests, resultOf } from '../counter/print.ts';
import type { Lock } from '../files/lock.ts';
import { photosOf, removeFromPhone } from '../photos/phone-folder.ts';
import type { Resumed } from './shape.ts';

const workView: View = {
  one: 'unfinished command',
  many: 'unfinished commands',
  columns: [
    { header: 'id', cell: (row) => row.id, neverCut: true },
    { header: 'what', cell: (row) => row.what, minCells: 24 },
    { ...timeColumn('time', 'at'), droppable: undefined },
    { header: 'state', cell: (row) => row.state, below: true },
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
};

const resumedView: View = {
  one: 'command',
  many: 'commands',
  columns: [],
  title: (row) => row.what,
  fields: ['id', 'command', 'what', 'status', 'result', 'error'] satisfies (keyof Resumed)[],
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
      'List the drop-offs, pick-ups, moves and uploads of photos that were begun or queued on this machine and not finished, in the order in which they happened: `cs pending resume` sends them in this order.',
    )
    .declareOutput(workView)
    .handle(async (context) => {
      const records = openWork(context.io).map((work) => recordOf(context, work));
      await context.output.list({ view: workView, records });
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
    .declareOutput(workView)
    .handle(async (context, { args: [id] }) => {
      const work = requireWork(context, id);
      const record = recordOf(context, work);
      const facts = labelled(context, [
        ['Begun', localTime(record.startedAt)],
        ['Server', work.server],
        ['State', record.state],
        ['Time', work.flags && localTime(work.happenedAt)],
        ['Line', work.flags && linesOf(context, work.command, work.flags).join('\n')],
        ...record.steps.map(({ step, state }): [string, string] => [stepWords(step), state]),
      ]);
      const { styles, output } = context;
      await output.styled(record, `${styles.title(work.what)}\n\n${facts}`);
    });
  command.examples(['cs pending show 3f1c9a02', 'cs pending show 3f1c9a02 -o json']);
}

function addResume(command: Command): void {
  command
    .summary('Finish unfinished commands')
    .description(
      'Finish unfinished commands of this team: all of them, or those with the given ids, in the order in which they happened.\nWhat is stored is not sent again. A refusal stops the work on that car, not the others. Exit 7 or 11 while a refusal or another process keeps something open; otherwise the exit code of what stopped it.\n--dry-run prints the requests that are left.',
    )
    .argument('[id...]', 'ids of unfinished commands')
    .option('--send', 'send again what has no answer, although it may be stored')
    .declareOutput(resumedView)
    .handle(async (context, { args: [ids], options }) => {
      const here = await facilityOf(context);
      const works: Work[] =
        ids.length > 0
          ? requireWorks(context, ids).map((work) => requireHere(context, here, work))
          : openWork(context.io, here.id);
      works.sort((one, other) => (one.happenedAt < other.happenedAt ? -1 : 1));
      if (options.dryRun) return preview(context, works);
      if (ids.length === 0) tellOtherFacilities(context, here, works.length);
      await resume(context, works, options.send === true);
    });
  addWriteFlags(command);
  command.examples([
    'cs pending resume --dry-run',
    'cs pending resume',
    'cs pending resume 3f1c9a02',
    '# after looking on the server: it is not stored',
    'cs pending resume 3f1c9a02 --send',
  ]);
}

function addDiscard(command: Command): void {
  command
    .summary('Forget unfinished commands')
    .description(
      'Forget unfinished commands. What they stored stays; what they did not send is never sent, and their photos from a phone are removed. What another process is sending is not forgotten (exit 7).',
    )
    .argument('<id...>', 'ids of unfinished commands')
    .declareOutput(workView)
    .handle((context, { args: [ids] }) => discard(context, ids));
  command.examples(['cs pending discard 3f1c9a02', 'cs pending discard 3f1c9a02 --yes']);
}

type PendingRecord = ReturnType<typeof recordOf>;

const recordOf = ({ io }: Pick<Context, 'io'>, work: Work) => {
  const { id, command, what, happenedAt: at, startedAt, server, key, flags } = work;
  // `words` is for the line to correct alone.
  const { words: _, ...queued } = flags ?? {};
  return {
    id,
    command,
    what,
    at,
    startedAt: new Date(startedAt).toISOString(),
    state: stateOf({ io }, work),
    server,
    key,
    steps: stepsOf({ io }, work),
    queued: flags && queued,
  };
};

const stepsOf = ({ io }: Pick<Context, 'io'>, work: Work) => {
  const known = new Map(readSteps(io, work.id).map((step) => [step.name, step]));
  return requestsOf(work).map(({ name, file }) => {
    const { state = 'waiting', sentAt = null } = known.get(name) ?? {};
    const words = {
      waiting: 'not sent',
      sent: `sent ${localMoment(new Date(sentAt ?? 0).toISOString())}, unconfirmed: may be stored`,
      done: 'stored',
    };
    return { step: name, state: words[state], ...(file && { file: file.path }) };
  });
};

/** How far it came, and why no further. */
function stateOf({ io }: Pick<Context, 'io'>, work: Work): string {
  const { trouble, flags } = work;
  const steps = readSteps(io, work.id);
  const sent = steps.filter(({ state }) => state === 'sent').map(({ name }) => stepWords(name));
  const done = steps.filter(({ state }) => state === 'done').length;
  const total = pluralize(requestsOf(work).length, 'step', 'steps');
  const unsent = trouble?.kind === 'refused' ? 'refused' : flags ? 'queued, not sent' : 'not sent';
  const how =
    sent.length > 0
      ? `may be stored: ${joinList(sent)} sent, unconfirmed`
      : done > 0
        ? `${done} of ${total} stored`
        : unsent;
  const why = {
    refused: trouble?.message,
    failed: trouble?.message,
    unreachable: 'the server was unreachable',
    signed_out: 'the key was refused',
    stopped: 'it was stopped',
  };
  const reason = trouble && why[trouble.kind];
  return reason ? `${how}: ${reason}` : how;
}

function requireWork({ io }: Pick<Context, 'io'>, id: string): Work {
  const work = findWork(io, id);
  if (work) return work;
  throw new CliError({
    code: 'not_found',
    message: `No unfinished command has the id ${id}. It may be finished by now.`,
    hint: 'list them with `cs pending list`',
  });
}

/** Repeated ids count once. */
const requireWorks = (context: Pick<Context, 'io'>, ids: readonly string[]): Work[] => [
  ...new Map(ids.map((id) => requireWork(context, id)).map((work) => [work.id, work])).values(),
];

/** Another key of the same server may be of the same team, where the server doesn't tell: whoever names the work decides. */
function requireHere(context: Context, here: FacilityHere, work: Work): Work {
  if (work.facility === here.id || (!here.isTeam && work.server === here.server)) return work;
  throw new CliError({
    code: 'other_origin',
    message: `The ${work.what} was begun on ${work.server} with the key ${work.key}, for another team or server than this one. Nothing was sent.`,
    hint: `run this with a key of that team, or forget it with \`${pendingCommand(context, 'discard', work.id)}\``,
    details: { id: work.id },
  });
}

function tellOtherFacilities(context: Context, here: FacilityHere, own: number): void {
  const [first, ...more] = openWork(context.io).filter(({ facility }) => facility !== here.id);
  if (own === 0) context.note('Nothing is unfinished for this team.');
  if (first)
    context.warn(
      `Unfinished for another team or server: ${first.what}${more.length > 0 ? ` and ${more.length} more` : ''}. See \`cs pending list\`.`,
    );
}

async function preview(context: Context, works: readonly Work[]): Promise<void> {
  const requests = [];
  for (const work of works) {
    const planned = work.requests ? work : await planQueued(context, work, { isPreview: true });
    const done = new Set(
      readSteps(context.io, work.id).flatMap(({ name, state }) => (state === 'done' ? [name] : [])),
    );
    requests.push(...requestsOf(planned).filter(({ name }) => !done.has(name)));
  }
  await printRequests(context, requests);
}

async function resume(context: Context, works: readonly Work[], isForced: boolean): Promise<void> {
  const outcomes = await sendAll(context, works, { isForced });
  const results = outcomes.map(
    ({ work: { id, command, what }, status, done, error }): Resumed => ({
      id,
      command,
      what,
      status,
      result: done ? (jsonOf(done) as Resumed['result']) : null,
      error: errorOf(error ?? done?.failure),
    }),
  );
  if (!context.output.forPeople) await context.output.list({ view: resumedView, records: results });
  else if (works.length > 0) context.note(summaryOf(results));
  const [failure] = outcomes.flatMap(({ done, error }) => error ?? done?.failure ?? []);
  if (failure === undefined) return;
  const left = results.filter(({ status }) => status !== 'finished' && status !== 'gone');
  // What isn't a refusal says itself how to go on.
  if (left.length === 0 || !(isFinalError(failure) || isAlreadyRunning(failure))) throw failure;
  throw new CliError({
    code: left.length < results.length ? 'partial' : 'unfinished',
    message: `${pluralize(left.length, 'command stays', 'commands stay')} open. ${sentence(reportOf(failure).message)}`,
    hint: 'look at them with `cs pending list`',
    details: { open: left.map(({ id }) => id) },
  });
}

const jsonOf = ({ work, sent }: Finished): unknown =>
  work.command === 'photos' ? sent.photos : resultOf(shownOf(work), sent);

const errorOf = (error: unknown): Resumed['error'] => {
  if (error === undefined) return null;
  const { code, message, exitCode } = reportOf(error);
  return { code, message, exitCode };
};

/** `2 commands finished, 1 refused, 3 left.` */
function summaryOf(results: readonly Resumed[]): string {
  const count = (...statuses: Resumed['status'][]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  const [refused, left] = [count('refused'), count('unfinished', 'not_tried')];
  const parts = [
    `${pluralize(count('finished', 'gone'), 'command', 'commands')} finished`,
    refused > 0 && `${refused} refused`,
    left > 0 && `${left} left`,
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}

async function discard(context: Context, ids: readonly string[]): Promise<void> {
  const works = requireWorks(context, ids);
  const { confirm } = await import('../../prompts/confirm.ts');
  const [first, second] = works;
  const named =
    first && !second
      ? `the ${first.what} (${stateOf(context, first).replace(/\.$/, '')})`
      : `${works.length} unfinished commands`;
  await confirm(context, `Forget ${named}?`, { local: true });
  const records: PendingRecord[] = [];
  const locks: Lock[] = [];
  try {
    for (const work of works) {
      const lock = await lockWork(context.io, work);
      if (!lock) throw alreadyRunning(work.what);
      locks.push(lock);
      // Another process may have finished it meanwhile.
      records.push(recordOf(context, requireWork(context, work.id)));
    }
    for (const work of works) {
      removeWork(context.io, work.id);
      await removeFromPhone(context, photosOf(work));
    }
  } finally {
    for (const lock of locks) lock.release();
  }
  await context.output.value(
    records,
    records.map(({ what }) => `forgot the ${what}`),
  );
}
