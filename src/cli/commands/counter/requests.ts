/** Sends the requests of an action, those that have no answer yet. Knows no command. */

import type { Client } from '../../../client/client.ts';
import { isIdField } from '../../../client/ids.ts';
import { ifParkedIn } from '../../../contract/preconditions.ts';
import { isUncertain } from '../../errors/final.ts';
import type { Row } from '../../output/view.ts';
import { methodsOf } from '../../resources/methods.ts';
import { type PhotoProgress, type SentPhoto, sendPhotos } from '../photos/send.ts';
import type { SentContent } from '../photos/verify.ts';
import type { ActionRequest, Answers } from './action.ts';
import type { Journal } from './journal.ts';
import type { PhotoUploadResult } from './shape.ts';

export type Progress =
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

/** Throws `StepFailed`. A photo that fails is in the result. */
export async function sendRequests(sending: Sending): Promise<Sent> {
  const { requests, journal, onProgress = () => {} } = sending;
  const answers = new Map<string, Row>();
  for (const request of requests.filter(({ file }) => !file)) {
    const { name } = request;
    const known = journal.answer(name);
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
  await journal.begin(name, verb === 'update');
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
    files: photos.map(({ file }) => file?.path as string),
    filename: typeof filename === 'string' ? filename : undefined,
    parallel,
    journal: journal.photos(photos),
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
