/** Sends work that stands in the journal: what was begun now, what an earlier run left, and what was queued without the server. */
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isFinalError, isServerAway } from '../../errors/final.ts';
import { reportOf, sentence, wrapFailure } from '../../errors/report.ts';
import { connectionFlags } from '../../framework/next-command.ts';
import { localTime } from '../../input/when.ts';
import { isNew } from '../../resources/record-form.ts';
import {
  beginWork,
  type CommandName,
  changeWork,
  endWork,
  findWork,
  isSameCar,
  type NewWork,
  openWork,
  openWorkOn,
  readSteps,
  removeWork,
  type Work,
} from '../../state/work.ts';
import { hashFile } from '../files/hash-file.ts';
import { mapParallel } from '../files/parallel.ts';
import { removeFromPhone } from '../photos/phone-folder.ts';
import {
  couldStillBeStored,
  missingPhotosError,
  warnOfDifferences,
} from '../photos/upload-result.ts';
import {
  type ActionFlags,
  type ActionPlan,
  type ActionRequest,
  type AnyAction,
  orFail,
  type Shown,
} from './action.ts';
import { noteClock } from './event-time.ts';
import { keyHere } from './facility.ts';
import { describeFailure, isAboutOneWork, isSignedOut, troubleOf } from './failures.ts';
import {
  alreadyRunning,
  finishOrForget,
  isAlreadyRunning,
  lockWork,
  openJournal,
  pendingCommand,
  type Sent,
  StepFailed,
  sendShown,
  unfinished,
} from './journal.ts';
import { linesInWords } from './new-car.ts';
import { noteSent, Unnoted } from './note-sent.ts';
import { printDone } from './print.ts';

export const actions: Readonly<
  Record<Exclude<CommandName, 'photos' | 'mcp'>, () => Promise<AnyAction>>
> = {
  dropoff: async () => (await import('../dropoff/action.ts')).dropoffAction,
  pickup: async () => (await import('../pickup/action.ts')).pickupAction,
  move: async () => (await import('../move/action.ts')).moveAction,
  undo: async () => (await import('../undo/action.ts')).undoAction,
};

export interface Finished {
  readonly work: Work;
  readonly sent: Sent;
  /** Photos are missing. */
  readonly failure: CliError | undefined;
  /** Another try could store them. */
  readonly isOpen: boolean;
}

export const requestsOf = ({ requests }: Work): ActionRequest[] =>
  (requests ?? []) as ActionRequest[];
export const shownOf = ({ shown }: Work): Shown => shown as Shown;

interface Options {
  /** A person decided to send again what may be stored. */
  readonly isForced?: boolean | undefined;
  /** Number of parallel uploads. */
  readonly parallel?: number | undefined;
}

/** Throws `StepFailed`. The caller holds the lock of the work. */
export async function sendWork(
  context: Context,
  begun: Work,
  { isForced, parallel }: Options = {},
): Promise<Finished> {
  const { io } = context;
  const client = await context.client();
  const work = sentByThisKey(context, begun, isForced);
  const requests = requestsOf(work);
  const shown = shownOf(work);
  const journal = openJournal({ context, client, work, isForced });
  // Before keys are ignored: it may prompt.
  await context.writes.permit();
  const sent = await sendShown(context, {
    what: shown.what,
    isUpload: work.command === 'photos',
    client,
    requests,
    journal,
    photoField: context.settings.photoField,
    ...(parallel !== undefined && { parallel }),
  });
  const { photos } = sent;
  warnOfDifferences(context, photos);
  await removeFromPhone(
    context,
    photos
      .filter(({ status, differs }) => status === 'stored' && differs === undefined)
      .map(({ file }) => file),
  );
  const isOpen = photos.some(couldStillBeStored);
  const [photo] = requests.filter(({ file }) => file);
  // The id of a new car is certain to find it, also for a script.
  const car = sent.answers.get('car')?.id ?? shown.ref ?? shown.car?.id;
  const sessionId = sent.answers.get('event')?.sessionId ?? photo?.body.sessionId;
  const failure = missingPhotosError(io, {
    photos,
    car: String(car ?? photo?.ids[0]),
    sessionId: typeof sessionId === 'string' && !sessionId.startsWith('{') ? sessionId : undefined,
    options: { ...photo?.file, photoField: context.settings.photoField },
    globalFlags: connectionFlags(context),
    resume: isOpen ? pendingCommand(context, 'resume', work.id) : undefined,
    ...(work.command !== 'photos' && { done: `The ${work.what} is stored` }),
  });
  return { work, sent, failure, isOpen };
}

/** A server knows an idempotency key for the API key that sent it alone. Work whose requests all have an answer may go on with another one. */
function sentByThisKey(context: Context, work: Work, isForced = false): Work {
  const key = keyHere(context);
  const isOpen = readSteps(context.io, work.id).some(({ state }) => state === 'sent');
  if (work.key === key || (isOpen && !isForced)) return work;
  changeWork(context.io, work.id, { key });
  return { ...work, key };
}

/** After the result is printed: it isn't open any more, unless photos are missing that could be stored. */
export function closeWork(context: Context, { work, failure, isOpen }: Finished): void {
  const { io } = context;
  noteSent(context, work, 'is stored', () => {
    if (isOpen && failure) changeWork(io, work.id, { trouble: troubleOf(failure, false) });
    else endWork(io, work);
  });
}

interface Leaving {
  /** Answers or a queue would be lost. */
  readonly keeps: boolean;
}

/** Notes why the work goes no further, or forgets it where nothing is stored and nothing is lost. Returns the error to show. */
export async function leaveWork(
  context: Context,
  work: Work,
  error: unknown,
  { keeps }: Leaving,
): Promise<unknown> {
  if (error instanceof Unnoted) return error;
  const { io } = context;
  const cause = error instanceof StepFailed ? error.cause : error;
  const isStopped = io.signal.aborted && cause === io.signal.reason;
  const client = await context.client();
  // After a signal nothing is asked: `cs pending resume` decides.
  const knowsKeys = isStopped || (await client.transport.knowsIdempotencyKeys().catch(() => false));
  const shown =
    error instanceof StepFailed
      ? await describeFailure(context, {
          failure: error,
          work,
          requests: requestsOf(work),
          shown: shownOf(work),
          journal: openJournal({ context, client, work }),
          knowsKeys,
        })
      : error;
  const isStored = readSteps(io, work.id).some(({ state }) => state !== 'waiting');
  const isLost = isServerAway(cause) || isSignedOut(cause) || isStopped;
  if (!isStored && !(keeps && (isLost || work.flags))) {
    removeWork(io, work.id);
    return shown;
  }
  const note = () => changeWork(io, work.id, { trouble: troubleOf(cause, isStopped) });
  if (isStored) noteSent(context, work, 'may be stored', note);
  else note();
  if (isStored || work.flags) return shown;
  const { message, hint } = reportOf(shown);
  return wrapFailure(shown, {
    message: `${sentence(message)} Your answers are kept.`,
    hint: [
      hint,
      `finish it with \`${pendingCommand(context, 'resume', work.id)}\`, or run the same line again`,
    ]
      .filter(Boolean)
      .join('; '),
  });
}

/** Finishes work of an earlier run, or of the queue. Undefined where another process finished it. Throws what stops it, which is noted. */
export async function finishWork(
  context: Context,
  id: string,
  options: Options = {},
): Promise<Finished | undefined> {
  const lock = await lockWork(context.io, { id });
  const known = findWork(context.io, id);
  if (!lock) throw alreadyRunning(known?.what ?? 'work');
  try {
    if (!known) return undefined;
    let work = known;
    try {
      if (work.flags && !work.requests) work = await planQueued(context, work);
      return await sendWork(context, work, options);
    } catch (error) {
      throw await leaveWork(context, work, error, { keeps: work.flags !== null });
    }
  } finally {
    lock.release();
  }
}

/** What a plan has of the flags without a look-up. */
export const asTyped = ({
  notes,
  keepLocation,
  resize,
  idempotencyKey,
}: ActionFlags): Pick<ActionPlan, 'notes' | 'keepLocation' | 'resize' | 'idempotencyKey'> => ({
  notes,
  keepLocation,
  resize,
  idempotencyKey,
});

/** Looks up what queued flags name. It was approved when it was queued, so nothing is asked but what is missing. */
export async function planQueued(
  context: Context,
  work: Work,
  { isPreview = false } = {},
): Promise<Work> {
  const action = await actions[work.command as keyof typeof actions]();
  const flags = work.flags as unknown as ActionFlags & { at: string };
  const given = await action.read(context, { ...flags, photo: undefined }, orFail);
  const known = { ...given, ...flags.newCar, ...asTyped(flags), at: flags.at, isQueued: true };
  const plan: ActionPlan = await action.complete(context, known, flags);
  const photos = (flags.photo ?? []).map((path) => ({ path }));
  noteClock(context);
  const changes = await plannedWork(context, action, { ...plan, photos } as unknown as ActionPlan);
  if (!isPreview) changeWork(context.io, work.id, changes);
  return { ...work, ...changes };
}

/** What the journal keeps of a plan. */
export async function plannedWork(
  context: Context,
  action: AnyAction,
  plan: ActionPlan,
): Promise<Pick<Work, 'requests' | 'shown' | 'car' | 'what'>> {
  const shown = await action.shown(context, plan);
  const requests = await withHashes(action.requests(plan));
  const { car } = plan;
  return {
    requests,
    shown,
    what: `${action.what} of ${shown.name}`,
    car: isNew(car) ? null : car.id,
  };
}

/** The files as they are now: one that changes before it is sent isn't the one that was meant. */
export const withHashes = (requests: readonly ActionRequest[]): Promise<ActionRequest[]> =>
  mapParallel(requests, 4, async (request) => {
    const { file } = request;
    if (!file) return request;
    // Reported when it is sent.
    const sha256 = await hashFile(file.path).then(
      (hashed) => hashed.sha256,
      () => undefined,
    );
    return { ...request, file: { ...file, sha256 } };
  });

/** Begins work in the journal. No other process runs the same line, or finishes it, until `use` ends. */
export async function withWork<T>(
  context: Context,
  given: NewWork,
  use: (work: Work) => Promise<T>,
): Promise<T> {
  const begun = beginWork(context.io, given);
  if ('open' in begun) throw alreadyRunning(begun.open.what);
  const lock = await lockWork(context.io, begun.work);
  if (!lock) throw alreadyRunning(begun.work.what);
  try {
    return await use(begun.work);
  } finally {
    lock.release();
  }
}

/** What became of a work. */
export interface Outcome {
  readonly work: Work;
  readonly status: 'finished' | 'unfinished' | 'refused' | 'gone' | 'not_tried';
  readonly done?: Finished;
  readonly error?: unknown;
}

interface SendAll {
  /** A person decided to send again what may be stored. */
  readonly isForced?: boolean;
  /** Work that isn't tried now. */
  readonly waits?: (work: Work) => boolean;
}

/** Sends works in order. What fails stops the work on its car; what isn't about one work alone stops the rest. */
export async function sendAll(
  context: Context,
  works: readonly Work[],
  { isForced, waits = () => false }: SendAll = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const isHeld = ({ car }: Work) =>
    outcomes.some(
      ({ work, status, error }) =>
        (error !== undefined || status === 'not_tried') && isSameCar(work.car, car),
    );
  let ends = false;
  for (const work of works) {
    if (ends || waits(work) || isHeld(work)) {
      outcomes.push({ work, status: 'not_tried' });
      continue;
    }
    // In a script stderr has errors and warnings alone.
    if (context.io.stderrIsTerminal)
      context.note(`Sending the ${work.what} (${localTime(work.happenedAt)})`);
    try {
      const done = await finishWork(context, work.id, { isForced });
      if (done && context.output.forPeople) await printDone(context, done.work, done.sent);
      if (done) closeWork(context, done);
      const status = !done ? 'gone' : done.isOpen ? 'unfinished' : 'finished';
      outcomes.push({ work, status, ...(done && { done }) });
    } catch (error) {
      const isRefused = isFinalError(error);
      const isUnknown = error instanceof CliError && error.code === 'outcome_unknown';
      const isOfWork = isAboutOneWork(error);
      if (isRefused) context.warn(refusedWords(context, work, error));
      else if (isOfWork) context.warn(unfinishedWords(context, work, error));
      ends = !isRefused && !isUnknown && !isOfWork;
      outcomes.push({ work, status: isRefused ? 'refused' : 'unfinished', error });
    }
  }
  return outcomes;
}

/** Sends what was queued at this facility. Returns what was sent, by id. Throws what isn't about one work alone. */
export async function sendQueue(
  context: Context,
  facility: string,
): Promise<ReadonlyMap<string, Finished>> {
  const queue = openWork(context.io, facility).filter(({ flags }) => flags);
  const outcomes = await sendAll(context, queue, {
    waits: ({ trouble }) => trouble?.kind === 'refused',
  });
  for (const { done } of outcomes) if (done?.failure) context.warn(reportOf(done.failure).message);
  for (const { status, error } of outcomes)
    if (error !== undefined && status !== 'refused' && !isAboutOneWork(error)) throw error;
  return new Map(outcomes.flatMap(({ work, done }) => (done ? [[work.id, done]] : [])));
}

function unfinishedWords(context: Context, work: Work, error: unknown): string {
  const { message, hint } = reportOf(error);
  const next = isAlreadyRunning(error) && hint ? hint : finishOrForget(context, work);
  return `The ${work.what} (${localTime(work.happenedAt)}) isn't finished: ${sentence(message)} ${sentence(next)}`;
}

/** The server's own sentence, and what a person can do. Corrected, it is forgotten first: otherwise both would be stored. */
function refusedWords(context: Context, work: Work, error: unknown): string {
  const { id, what, happenedAt, command, flags } = work;
  const { message, code } = reportOf(error);
  const lines = flags && linesInWords(context, command, flags);
  const isEarly = code === 'not_parked' || (code === 'not_found' && command === 'pickup');
  const waits = isEarly
    ? 'Another counter may not have sent its drop-off yet: try again later with'
    : 'Try again with';
  return `The ${what} (${localTime(happenedAt)}) isn't stored: ${sentence(message)} ${waits} \`${pendingCommand(context, 'resume', id)}\`, or forget it with \`${pendingCommand(context, 'discard', id)}\`${lines ? ` and correct it: ${lines}` : ''}. Later work on this car waits.`;
}

/** A script doesn't go past work on the same car that is open: it would be stored out of order, or twice. A person is told. */
export function requireNoneOpen(
  context: Context,
  facility: string,
  car: Parameters<typeof openWorkOn>[2],
): void {
  const open = openWorkOn(context.io, facility, car);
  if (!open) return;
  const message = `The ${open.what} (${localTime(open.happenedAt)}) is unfinished.`;
  if (!context.interactive || context.settings.yes) throw unfinished(context, open, message);
  context.warn(`${message} ${sentence(finishOrForget(context, open))}`);
}
