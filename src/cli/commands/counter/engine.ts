/** Runs a command of the counter: parse, ask, review, begin in the journal, send what has no answer, print. */

import type { Context } from '../../context.ts';
import { CliError, declined, type ExitCode, usage } from '../../errors/exit.ts';
import { isServerAway } from '../../errors/final.ts';
import { reasonOf, reportOf, sentence } from '../../errors/report.ts';
import { localTime, parseWhen } from '../../input/when.ts';
import { labelled } from '../../output/labelled.ts';
import { askForm } from '../../prompts/form.ts';
import { missingInput } from '../../prompts/prompts.ts';
import { handleCancel, WentBack } from '../../prompts/run.ts';
import { askWhatNow } from '../../prompts/what-now.ts';
import { isNew } from '../../resources/record-form.ts';
import {
  changeWork,
  findWork,
  openWork,
  readSteps,
  removeWork,
  type Work,
} from '../../state/work.ts';
import { leavesOnEscape } from '../../terminal/io.ts';
import { keepTypedAhead } from '../../terminal/keyboard.ts';
import { requirePhotos } from '../photos/checklist.ts';
import {
  type ActionFlags,
  type ActionPlan,
  type AnyAction,
  orAskInstead,
  orFail,
  RunInstead,
} from './action.ts';
import { noteClock, readEventTime, requireTime } from './event-time.ts';
import { type FacilityHere, facilityOf, lineOf, openWorkLine } from './facility.ts';
import { asParkingChanged, isParkingChanged, questionAbout } from './failures.ts';
import {
  actions,
  asTyped,
  closeWork,
  type Finished,
  finishWork,
  leaveWork,
  plannedWork,
  requireNoneOpen,
  sendQueue,
  sendWork,
  withWork,
} from './finish.ts';
import { alreadyRunning, lockWork, pendingCommand, StepFailed } from './journal.ts';
import { isUnreachable, keepAnswers, WorkOffline } from './keep-answers.ts';
import { keepNames } from './known-names.ts';
import { Unnoted } from './note-sent.ts';
import { namesOfflineFlag, offerOffline, queueWork } from './offline.ts';
import { asPlaceConflict, type Place } from './place.ts';
import { printDone, printRequests } from './print.ts';
import { asRefusedTime } from './refusal.ts';

/** `flags`: as they were typed, arguments included. `back`: the error for a step back from the first question. */
export async function runAction(
  context: Context,
  action: AnyAction,
  flags: ActionFlags,
  back: Error | undefined = context.io.env[leavesOnEscape] === undefined
    ? undefined
    : declined('Nothing was stored.'),
): Promise<ExitCode | undefined> {
  try {
    return await run(context, action, flags, back);
  } catch (error) {
    if (!(error instanceof RunInstead)) throw error;
    const { command, flags: others } = error;
    // A step back from its first question leads to the one that it was chosen at.
    return runAction(context, await actions[command](), others, new WentBack()).catch(
      (left: unknown) => {
        if (!(left instanceof WentBack)) throw left;
        return runAction(context, action, { ...flags, car: others.car }, back);
      },
    );
  } finally {
    if (context.io.run.phoneFolders.length > 0)
      await (await import('../photos/phone-folder.ts')).tellKept(context);
  }
}

async function run(
  context: Context,
  action: AnyAction,
  flags: ActionFlags,
  back: Error | undefined,
): Promise<ExitCode | undefined> {
  const missing = action.missing(flags, context.settings.yes);
  const names = missing.filter((name): name is string => name !== false);
  if (!context.interactive && names.length > 0) throw missingInput(names);
  requireRepeatable(context, flags);
  const planned = async () => {
    const plan = await handleCancel(context, () =>
      keepTypedAhead(context, () => makePlan(context, action, flags, back)),
    );
    if (flags.requirePhotos && typeof plan !== 'number') requirePhotos(context, plan);
    return plan;
  };
  if (flags.dryRun) {
    const plan = await planned();
    if (typeof plan === 'number') return plan;
    await printRequests(context, action.requests(plan));
    return undefined;
  }
  const line = lineOf(context, action.command, { ...flags }, flags.photo);
  if (flags.offline) return queueWork(context, action, { flags, line });
  let earlier: Work | undefined;
  try {
    const here = await facilityOf(context);
    const found = await handleCancel(context, () =>
      finishEarlier(context, action, { here, line, flags }),
    );
    if (found === 'finished') return undefined;
    if (typeof found === 'number') return found;
    earlier = found;
    const plan = await planned();
    if (typeof plan === 'number') return plan;
    // Not before: whoever leaves the questions is asked again about the work that this line began.
    if (earlier) changeWork(context.io, earlier.id, { line: null });
    await begin(context, action, { here, line, flags, plan });
    return undefined;
  } catch (error) {
    if (error instanceof WorkOffline) {
      const { flags: typed, answers } = error;
      return queueWork(context, action, { flags: typed, answers, line, replaced: earlier });
    }
    if (!action.queues || !isUnreachable(error)) throw error;
    const isAsked = context.interactive && !context.settings.yes;
    if (!isAsked || !(await offerOffline(context))) throw namesOfflineFlag(context, error);
    return queueWork(context, action, { flags, line, replaced: earlier });
  }
}

/** A repeat with the same key must send the same body. */
function requireRepeatable({ io }: Context, { at, idempotencyKey }: ActionFlags): void {
  if (at === undefined || idempotencyKey === undefined) return;
  const [now, later] = [io.now(), new Date(io.now().getTime() + 61_000)];
  if (parseWhen(at, now, '--at', 'past') !== parseWhen(at, later, '--at', 'past'))
    throw usage(
      `--at "${at}" and --idempotency-key can't be used together: a repeat would send another time.`,
      'give the time in full, such as 2026-03-01T14:30:00+01:00',
    );
}

/** Looks up, checks and asks. Stores nothing. */
async function makePlan(
  context: Context,
  action: AnyAction,
  flags: ActionFlags,
  back: Error | undefined,
): Promise<ActionPlan> {
  const typedAt = requireTime(context, flags.at);
  let asked = flags;
  const isAsked = context.interactive;
  const find = isAsked
    ? orAskInstead(context, (what) => {
        // A search doesn't start with the car that was refused, which it can't find.
        if (what === 'car') asked = { ...flags, car: undefined };
      })
    : orFail;
  const given = await action.read(context, flags, find);
  const at = await readEventTime(context, flags.at, typedAt);
  const known = { ...given, ...asTyped(flags), at };
  if (!isAsked) {
    const plan = await action.complete(context, known, flags);
    const notes = action.warnings?.(context, plan) ?? [];
    context.io.run.notes.push(...notes.map((about) => ({ kind: 'unchecked' as const, about })));
    return plan;
  }
  return ask(context, action, { flags: asked, given: known, back });
}

interface Asking {
  readonly flags: ActionFlags;
  readonly given: Partial<ActionPlan>;
  /** The given plan was complete, and these answers of it were refused. */
  readonly wrong?: readonly string[] | undefined;
  readonly isApproved?: boolean;
  /** Something of it is stored. */
  readonly isPartStored?: boolean;
  readonly back?: Error | undefined;
}

async function ask(
  context: Context,
  action: AnyAction,
  { flags, given, wrong, isApproved = false, isPartStored = false, back }: Asking,
): Promise<ActionPlan> {
  const questions = await action.questions(context, flags, given);
  const asksReview = action.approval && !context.settings.yes && !flags.dryRun && !isApproved;
  return askForm(context, {
    questions,
    given: wrong ? {} : given,
    correcting: wrong && { answers: given, wrong, isPartStored },
    back,
    review: asksReview
      ? {
          summary: (plan) => `\n${labelled(context, action.summary(context, plan))}\n`,
          question: action.approval as string,
        }
      : undefined,
    recover: keepAnswers(context, action, flags),
  });
}

interface Line {
  readonly here: FacilityHere;
  readonly line: string;
  readonly flags: ActionFlags;
}

/** Finishes what was queued, then the work of the same line. Returns that work where a person leaves it unfinished and starts another. */
async function finishEarlier(
  context: Context,
  action: AnyAction,
  { here, line, flags }: Line,
): Promise<'finished' | Work | undefined> {
  const same = openWork(context.io).find(
    (work) =>
      work.command === action.command &&
      work.line !== null &&
      lineWithoutCar(work.line) === line &&
      (flags.car !== undefined || !work.flags) &&
      (work.facility === here.id || mayBeHere(here, work)),
  );
  let finishing = same !== undefined;
  if (same && context.interactive && !context.settings.yes) {
    finishing = await askToFinish(context, same);
  } else if (same && same.facility !== here.id) throw begunWithOtherKey(context, same);
  // What an undo takes back is what came last before it.
  const queued = action.queues ? await sendQueue(context, here.id) : new Map<string, Finished>();
  const left = !finishing && openWorkLine(context, here.id);
  if (left) context.warn(left);
  if (!same || !finishing) return same;
  const sent = queued.get(same.id);
  const done = sent ?? (await finishWork(context, same.id));
  // Another process finished it meanwhile.
  if (!done) return undefined;
  // People saw that of the queue already, and it is closed.
  if (!sent || !context.output.forPeople) await printDone(context, done.work, done.sent);
  if (!sent) closeWork(context, done);
  if (done.failure) throw done.failure;
  return 'finished';
}

/** The server doesn't tell the team of a key: another key of it may be of the same one. */
const mayBeHere = (here: FacilityHere, { server, facility }: Work): boolean =>
  !here.isTeam && server === here.server && facility !== here.id;

const begunWithOtherKey = (context: Context, { id, what, key }: Work): CliError =>
  new CliError({
    code: 'unfinished',
    message: `The ${what} was begun with the key ${key} and isn't finished. Nothing was sent.`,
    hint: `if both keys are of one team: \`${pendingCommand(context, 'resume', id)}\`; otherwise \`${pendingCommand(context, 'discard', id)}\``,
    details: { id },
  });

async function askToFinish(context: Context, work: Work): Promise<boolean> {
  const lock = await lockWork(context.io, work);
  if (!lock) throw alreadyRunning(work.what);
  lock.release();
  const { askOption } = await import('../../prompts/prompts.ts');
  const facts = labelled(context, [
    ['Unfinished', work.what],
    ['Begun', `${localTime(new Date(work.startedAt).toISOString())} with the key ${work.key}`],
  ]);
  context.io.stderr.write(`\n${facts}\n`);
  return askOption<boolean>(context, {
    label: 'What now?',
    options: [
      { name: 'Finish it', value: true },
      { name: 'Start another, and leave it unfinished', short: 'Start another', value: false },
    ],
  });
}

/** A line without a car has the chosen one behind it, so that two people may type it at once. */
const lineWithoutCar = (line: string): string => line.split('\n', 1)[0] as string;
const lineWithCar = (line: string, flags: ActionFlags, car: string | null): string =>
  flags.car === undefined ? `${line}\n${car ?? ''}` : line;

async function begin(
  context: Context,
  action: AnyAction,
  { here, line, flags, plan }: Line & { readonly plan: ActionPlan },
): Promise<void> {
  if (!isNew(plan.car) && !plan.idempotencyKey) requireNoneOpen(context, here.id, plan.car);
  const planned = await plannedWork(context, action, plan);
  const given = {
    ...planned,
    command: action.command,
    facility: here.id,
    server: here.server,
    key: here.key,
    line: lineWithCar(line, flags, planned.car ?? planned.what),
    happenedAt: plan.at ?? context.io.now().toISOString(),
    flags: null,
  };
  noteClock(context);
  await withWork(context, given, async (work) => {
    const done = await sendOrCorrect(context, action, { work, plan });
    await printDone(context, done.work, done.sent);
    closeWork(context, done);
    if (done.failure) throw done.failure;
    if (context.interactive) keepNames(context);
  });
}

interface Sending {
  readonly work: Work;
  readonly plan: ActionPlan;
}

/** A refusal returns a person to the question that it is about, with the other answers and what is stored of a new car. */
async function sendOrCorrect(
  context: Context,
  action: AnyAction,
  { work: begun, plan: first }: Sending,
): Promise<Finished> {
  const isPerson = context.interactive && !context.settings.yes;
  let [work, plan] = [begun, first];
  for (;;) {
    try {
      return await sendWork(context, work);
    } catch (error) {
      const failed =
        error instanceof StepFailed ? error : { cause: error, uncertain: error instanceof Unnoted };
      if (isPerson && (await wantsAnotherTry(context, failed))) continue;
      const asking =
        isPerson && !failed.uncertain
          ? await correct(context, action, { work, plan, cause: failed.cause })
          : undefined;
      if (!asking) throw await leaveWork(context, work, error, { keeps: context.interactive });
      plan = await keepTypedAhead(context, () =>
        ask(context, action, { flags: {}, ...asking }),
      ).catch((left: unknown) => {
        // Whoever leaves a correction leaves nothing behind, unless something is stored.
        if (readSteps(context.io, begun.id).every(({ state }) => state === 'waiting'))
          removeWork(context.io, begun.id);
        throw left;
      });
      changeWork(context.io, work.id, await plannedWork(context, action, plan), { newKeys: true });
      work = findWork(context.io, work.id) ?? work;
    }
  }
}

/** Without keys only what certainly wasn't stored is sent again. */
async function wantsAnotherTry(
  context: Context,
  { cause, uncertain }: Pick<StepFailed, 'cause' | 'uncertain'>,
): Promise<boolean> {
  if (!isServerAway(cause) || context.io.signal.aborted) return false;
  const { transport } = await context.client();
  if (uncertain && !(await transport.knowsIdempotencyKeys().catch(() => false))) return false;
  const leave = { name: 'Leave, and finish it later', short: 'Leave', value: 'leave' } as const;
  return (
    (await askWhatNow(context, `${reasonOf(cause)} Your answers are kept.`, [leave])) === 'again'
  );
}

interface Refused extends Sending {
  readonly cause: unknown;
}

/** Tells what was refused, and what is asked again. Undefined where another answer may not help. */
async function correct(
  context: Context,
  action: AnyAction,
  { work, plan, cause }: Refused,
): Promise<Omit<Asking, 'flags'> | undefined> {
  if (!action.again) return undefined;
  const steps = readSteps(context.io, work.id).filter(({ answer }) => answer !== undefined);
  const stored = new Map(steps.map(({ name, answer }) => [name, answer]));
  const isPartStored = stored.size > 0;
  const tell = (error: unknown, next: string) =>
    context.warn(`${sentence(reportOf(error).message)} ${next}`);
  // A new car as far as it is stored, so that nothing of it is stored twice.
  const parts = isNew(plan.car) ? [...stored].filter(([name]) => partsOfCar.has(name)) : [];
  const given: ActionPlan = { ...plan, ...Object.fromEntries(parts) };
  if (isParkingChanged(cause) && !isNew(plan.car)) {
    const now = await (await context.client()).cars.get(plan.car.id);
    tell(asParkingChanged(cause, plan.car, context), 'Please check it.');
    return { ...withoutRefusedCar(action.again(given, now)), isPartStored };
  }
  const about = (action.about?.(plan, cause, new Set(stored.keys())) ?? questionAbout(cause)) as
    | string
    | undefined;
  if (about === undefined) return undefined;
  const isPlace = about === 'place';
  const { place } = plan as { readonly place?: Place };
  const conflict = isPlace && place && (await asPlaceConflict(context, place.record.name, cause));
  tell(
    conflict || (asRefusedTime(cause) ?? cause),
    isPlace ? 'Choose another place.' : 'Please correct it.',
  );
  // The summary needs no second approval of another place.
  return { ...withoutRefusedCar({ given, wrong: [about] }), isApproved: isPlace, isPartStored };
}

const partsOfCar: ReadonlySet<string> = new Set(['owner', 'car']);

/** The list doesn't start with the car that was refused. */
function withoutRefusedCar({ given, wrong }: Pick<Required<Asking>, 'given' | 'wrong'>) {
  const { car: _, ...others } = given;
  return { given: wrong.includes('car') ? others : given, wrong };
}
