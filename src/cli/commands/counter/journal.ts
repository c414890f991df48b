/**
 * Sends the requests of a work, each noted before it is sent and when its answer is here. What has no answer is sent again with the same
 * key where the server announces Idempotency-Key and the work is young; anywhere else a person decides. Knows no command.
 */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../../client/client.ts';
import { isIdField } from '../../../client/ids.ts';
import { ifParkedIn } from '../../../contract/preconditions.ts';
import { stateFolder } from '../../config/platform-folders.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isUncertain } from '../../errors/final.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localMoment } from '../../input/when.ts';
import type { Row } from '../../output/view.ts';
import { methodsOf } from '../../resources/methods.ts';
import { noteStep, readSteps, type Step, type Work } from '../../state/work.ts';
import type { Io } from '../../terminal/io.ts';
import { ignoreKeys } from '../../terminal/keyboard.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { type Lock, lockBeside } from '../files/lock.ts';
import { type PhotoProgress, type SentPhoto, sendPhotos } from '../photos/send.ts';
import { startUploadProgress } from '../photos/upload-progress.ts';
import type { SentContent } from '../photos/verify.ts';
import type { ActionRequest, Answers, FileFacts, Journal } from './action.ts';
import { keyHere } from './facility.ts';
import { noteSent } from './note-sent.ts';
import type { PhotoUploadResult } from './shape.ts';

/** Servers keep an idempotency key for a day, each for the API key that sent it. */
const youngMs = 23 * 3_600_000;

interface Opening {
  readonly context: Context;
  readonly client: Client;
  /** Undefined for requests that nothing would finish. */
  readonly work?: Work;
  /** A person decided to send again what may be stored. */
  readonly isForced?: boolean | undefined;
}

export function openJournal({ context, client, work, isForced = false }: Opening): Journal {
  const { io } = context;
  const steps = new Map(work && readSteps(io, work.id).map((step) => [step.name, step]));
  const keyBase = work?.keyBase ?? randomUUID();
  const note = (step: Pick<Step, 'name' | 'state'> & Partial<Step>) => {
    const { sentAt = null, content } = steps.get(step.name) ?? {};
    const since = step.state === 'sent' ? (sentAt ?? io.now().getTime()) : null;
    // What can't be written ends the command: the same line again finds out whether it is stored.
    const write = () => work && noteStep(io, work.id, step);
    const isSent = [...steps.values()].some(({ state }) => state !== 'waiting');
    if (work && isSent) noteSent(context, work, 'may be stored', write);
    else write();
    steps.set(step.name, { content, answer: undefined, ...step, sentAt: since });
  };
  const isYoung = ({ state, sentAt }: Step) =>
    state !== 'sent' || io.now().getTime() - (sentAt ?? 0) < youngMs;
  return {
    step: (name) => steps.get(name),
    begin: (name, content) => note({ name, state: 'sent', ...(content && { content }) }),
    refused: (name) => note({ name, state: 'waiting' }),
    done: (name, answer, content) =>
      note({ name, state: 'done', answer, ...(content && { content }) }),
    key: (name) => `${keyBase}-${name}`,
    mayRepeat: async () =>
      isForced ||
      (work?.key === keyHere(context) &&
        [...steps.values()].every(isYoung) &&
        client.transport.knowsIdempotencyKeys()),
    undecided: (name) => personDecides(context, work as Work, steps.get(name) as Step),
  };
}

/** A request was sent, and nothing tells whether it was stored. */
function personDecides(context: Context, { id, what }: Work, { name, sentAt }: Step): CliError {
  const sent = localMoment(new Date(sentAt ?? 0).toISOString());
  return new CliError({
    code: 'outcome_unknown',
    message: `The ${stepWords(name)} of the ${what} was sent at ${sent} and isn't confirmed: it may be stored. cs doesn't send it again by itself: the server can't recognise it, since it announces no Idempotency-Key, or it was sent with another key or more than a day ago.`,
    hint: `look on the server whether it is stored. If it isn't: \`${pendingCommand(context, 'resume', id, ['--send'])}\`; if it is: \`${pendingCommand(context, 'discard', id)}\``,
    details: { id, step: name, sentAt: new Date(sentAt ?? 0).toISOString() },
  });
}

/** `photo 1`, `mileage` */
export const stepWords = (name: string): string => name.replace('-', ' ');

export const pendingCommand = (
  context: Context,
  verb: 'resume' | 'discard' | 'show',
  id: string,
  flags: readonly string[] = [],
): string => nextCommand(['pending', verb, id, ...flags], connectionFlags(context));

/** One process at a time sends a work. Undefined while another one has it. */
export const lockWork = (io: Io, { id }: Pick<Work, 'id'>): Promise<Lock | undefined> =>
  lockBeside(join(stateFolder(io), `work-${id}`));

export const alreadyRunning = (what: string): CliError =>
  new CliError({
    code: 'already_running',
    message: `Another process is sending the ${what}.`,
    hint: 'wait for it, then look at `cs pending list`',
  });

export const isAlreadyRunning = (error: unknown): boolean =>
  error instanceof CliError && error.code === 'already_running';

type Progress =
  | { readonly of: 'step'; readonly name: string; readonly phase: 'sending' | 'stored' }
  | ({ readonly of: 'photo' } & PhotoProgress);

export interface Sending {
  readonly client: Client;
  readonly requests: readonly ActionRequest[];
  readonly journal: Journal;
  readonly photoField?: string | undefined;
  /** Number of parallel uploads (default: 1). */
  readonly parallel?: number;
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

export interface Sent {
  readonly answers: Answers;
  readonly photos: readonly PhotoUploadResult[];
  /** What was sent of each photo; undefined if it wasn't prepared. */
  readonly contents: readonly (SentContent | undefined)[];
}

/** A request failed. Those before it have their answers. */
export class StepFailed extends Error {
  readonly step: string;
  override readonly cause: unknown;
  /** Whether it may have been stored. */
  readonly uncertain: boolean;

  constructor(step: string, cause: unknown, uncertain: boolean) {
    super(`${step} failed`, { cause });
    this.step = step;
    this.cause = cause;
    this.uncertain = uncertain;
  }
}

interface Shown extends Sending {
  /** `drop-off` */
  readonly what: string;
  /** Nothing but photos: says at the end what was sent. */
  readonly isUpload?: boolean;
}

/** Sends what has no answer, and shows on a terminal how far it is. Throws `StepFailed`. */
export async function sendShown(
  context: Context,
  { what, isUpload, ...sending }: Shown,
): Promise<Sent> {
  const { requests, journal } = sending;
  const left = requests.filter(({ name }) => journal.step(name)?.state !== 'done');
  const onProgress = await showProgress(context, { what, requests: left, isUpload });
  return ignoreKeys(context, () =>
    sendRequests({ ...sending, onProgress, signal: context.io.signal }).finally(onProgress.end),
  );
}

/** Shows it in one line of a terminal: the step that is sent, then how many photos and bytes. */
async function showProgress(
  context: Context,
  { what, requests, isUpload }: Pick<Shown, 'what' | 'requests' | 'isUpload'>,
) {
  const photos = requests.filter(({ file }) => file);
  const positionOf = (step: string) => photos.findIndex(({ name }) => name === step);
  // 0 for a file that is gone, which is told when it is sent.
  const sizes = photos.map(
    ({ file }) => statSync(file?.path as string, { throwIfNoEntry: false })?.size ?? 0,
  );
  const upload = startUploadProgress(sizes, () => context.io.now().getTime());
  const wordsOf = (step: string) =>
    `Storing the ${step === 'event' || step === 'assignment' ? what : stepWords(step)}`;
  const spinner = await startSpinner(
    context,
    isUpload ? upload.text() : wordsOf(requests[0]?.name ?? ''),
  );
  let stored = 0;
  const show = (progress: Progress) => {
    const { name, phase } = progress;
    if (progress.of === 'step') {
      if (phase === 'sending') spinner.text(wordsOf(name));
      return;
    }
    const position = positionOf(name);
    if (phase === 'stored') stored += 1;
    if (progress.prepared && phase === 'sending')
      upload.prepared(position, progress.prepared.sizeBytes);
    else if (phase === 'stored' || phase === 'failed') upload.ended(position);
    spinner.text(upload.text());
  };
  const end = () => {
    spinner.stop();
    if (isUpload && spinner.isShown && stored === photos.length) context.note(upload.summary());
  };
  return Object.assign(show, { end });
}

/** Throws `StepFailed`. A photo that fails is in the result. */
async function sendRequests(sending: Sending): Promise<Sent> {
  const { requests, journal, onProgress = () => {} } = sending;
  const answers = new Map<string, Row>();
  for (const request of requests.filter(({ file }) => !file)) {
    const { name } = request;
    const known = journal.step(name)?.answer as Row | undefined;
    if (known === undefined) {
      onProgress({ of: 'step', name, phase: 'sending' });
      answers.set(name, await sendOne(sending, fillIn(request, answers)));
      onProgress({ of: 'step', name, phase: 'stored' });
    } else answers.set(name, known);
  }
  const photos = await sendFiles(sending, answers);
  return {
    answers,
    photos: photos.map(({ upload }) => upload),
    contents: photos.map(({ content }) => content),
  };
}

async function sendOne(
  { client, journal, signal }: Sending,
  { name, resource, verb, ids, body, ifParkedIn: parkedIn, idempotencyKey }: ActionRequest,
): Promise<Row> {
  signal?.throwIfAborted();
  const isUnknown = journal.step(name)?.state === 'sent' && verb === 'create';
  if (isUnknown && !(await journal.mayRepeat())) throw journal.undecided(name);
  journal.begin(name);
  const checks = parkedIn !== undefined && client.transport.knowsPrecondition(ifParkedIn.header);
  const options = {
    signal,
    ...(verb === 'create' && { idempotencyKey: idempotencyKey ?? journal.key(name) }),
    ...(checks && { ifParkedIn: parkedIn }),
  };
  const answer = await methodsOf(client, resource)
    [verb](...ids, body, options)
    .catch((error: unknown) => {
      const uncertain = isUncertain(error) || (signal?.aborted === true && error === signal.reason);
      if (!uncertain) journal.refused(name);
      throw new StepFailed(name, error, uncertain);
    });
  journal.done(name, answer);
  return answer;
}

async function sendFiles(
  { client, requests, journal, photoField, parallel, onProgress, signal }: Sending,
  answers: Answers,
): Promise<SentPhoto[]> {
  const photos = requests.filter(({ file }) => file).map((one) => fillIn(one, answers));
  const [first] = photos;
  if (!first?.file) return [];
  const { sessionId, filename } = first.body;
  return sendPhotos({
    keepLocation: first.file.keepLocation,
    resize: first.file.resize,
    photoField,
    client,
    carId: String(first.ids[0]),
    sessionId: typeof sessionId === 'string' ? sessionId : null,
    photos: photos.map(({ name, file }) => ({ name, ...(file as FileFacts) })),
    filename: typeof filename === 'string' ? filename : undefined,
    parallel,
    journal,
    onProgress: (progress) => onProgress?.({ of: 'photo', ...progress }),
    signal,
  });
}

/** With the ids of earlier answers. One that an answer doesn't have is left out. Other fields are a person's words, whatever they look like. */
export function fillIn(request: ActionRequest, answers: Answers): ActionRequest {
  const filled = (value: unknown): unknown => {
    const [, step, field] = /^\{(\w+)\.(\w+)\}$/.exec(String(value)) ?? [];
    return step && field ? (answers.get(step)?.[field] ?? undefined) : value;
  };
  return {
    ...request,
    ids: request.ids.map((id) => String(filled(id))),
    body: Object.fromEntries(
      Object.entries(request.body)
        .map(([name, value]) => [name, isIdField(name) ? filled(value) : value] as const)
        .filter(([, value]) => value !== undefined),
    ),
  };
}

/** Another work is open, which comes first. */
export const unfinished = (context: Context, open: Work, message: string): CliError =>
  new CliError({
    code: 'unfinished',
    message: `${message} Nothing was sent.`,
    hint: finishOrForget(context, open),
    details: { id: open.id },
  });

export const finishOrForget = (context: Context, { id }: Work): string =>
  `finish it with \`${pendingCommand(context, 'resume', id)}\`, or forget it with \`${pendingCommand(context, 'discard', id)}\``;
