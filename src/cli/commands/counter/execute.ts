/** Performs the plan of a drop-off or a pick-up: the dry run, the requests with their progress, the printed result. */
import { basename } from 'node:path';
import type { Client } from '../../../client/client.ts';
import { isSameId } from '../../../client/ids.ts';
import type { CreateFor } from '../../../contract/contract.ts';
import { type CarIdentity, titleOf } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import type { CliError } from '../../errors/exit.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localTime } from '../../input/when.ts';
import { labelled, labelWidth } from '../../output/labelled.ts';
import type { PlannedRequest } from '../../output/request.ts';
import { ignoreKeys } from '../../terminal/keyboard.ts';
import { pluralize, sanitize } from '../../terminal/text.ts';
import { carIdIn } from '../journal/car-id.ts';
import type { QueuedFlags } from '../journal/entry.ts';
import { findStoredEvent } from '../journal/find.ts';
import type { Journal, Journaled, Performed } from '../journal/journal.ts';
import { withMoment } from '../journal/moment.ts';
import { removeStored } from '../photos/phone-folder.ts';
import type { PhotoFacts } from '../photos/photo-file.ts';
import { preparePhoto } from '../photos/prepare.ts';
import { InvalidPhotos, readPhotos } from '../photos/read.ts';
import {
  countStored,
  describeUpload,
  missingPhotosError,
  warnOfDifferences,
} from '../photos/upload-result.ts';
import type { EventFlags, EventPlan } from './event.ts';
import { wantsAnotherTry } from './keep-answers.ts';
import { movedSince, parkedSince } from './moved-since.ts';
import { noteUncheckedParking, type ParkedIn, type ReadAgain } from './parked-in.ts';
import type { EventOptions, EventProgress } from './perform.ts';
import type { Place } from './place.ts';
import { showProgress } from './progress.ts';
import type { EventResult, PhotoUploadResult } from './shape.ts';

export interface PerformOptions<P extends EventPlan> {
  readonly client: Client;
  readonly plan: P;
  readonly options: EventOptions;
  readonly journal: Journal;
  readonly onProgress: (progress: EventProgress) => void;
  readonly signal: AbortSignal;
}

interface Execution<P extends EventPlan, R extends EventResult> {
  readonly command: 'dropoff' | 'pickup';
  /** `drop-off` */
  readonly what: string;
  readonly carOf: (plan: P) => Parameters<typeof titleOf>[0];
  /** Where the screen showed the car; undefined where any state is fine. */
  readonly shownIn: (plan: P) => ParkedIn | undefined;
  /** Where it parks the car. `none`: it frees the place. Undefined: it does neither. */
  readonly parksIn: (plan: P) => Place | 'none' | undefined;
  /** The steps before the event (default: none). */
  readonly before?: (plan: P) => readonly string[];
  /** Of the request that logs the event. */
  readonly body: (plan: P) => CreateFor<'carEvents'>;
  readonly perform: (context: Context, options: PerformOptions<P>) => Promise<R>;
  readonly print: (context: Context, plan: P, result: R, options: EventOptions) => Promise<void>;
  /** The plan of flags that were queued without a server. */
  readonly planQueued: (context: Context, flags: QueuedFlags & EventFlags) => Promise<P>;
  /** Returns another plan to try after an error, or throws. */
  readonly replan?: (context: Context, plan: P, error: unknown, journal: Journal) => Promise<P>;
}

type CarEventResult = EventResult & { car: CarIdentity };

/** A drop-off or a pick-up as the journal runs it. */
export const journaledEvent = <P extends EventPlan, R extends CarEventResult>(
  execution: Execution<P, R>,
): Journaled<P, R> => ({
  command: execution.command,
  what: (plan) => `${execution.what} of ${titleOf(execution.carOf(plan))}`,
  requests: (plan) => [...(execution.before?.(plan) ?? []), 'event'],
  files: ({ photos }) => photos.map(({ path }) => path),
  async addFiles({ io }, plan, found) {
    const added = await readPhotos({ io }, found, plan);
    return { ...plan, photos: [...plan.photos, ...added] };
  },
  async planQueued(context, { photo, ...flags }) {
    const plan = withMoment(
      context.io,
      await execution.planQueued(context, { ...flags, photo: [] }),
    );
    return {
      ...plan,
      photos: await queuedPhotos(context, (photo ?? []) as readonly string[], plan),
    };
  },
  async findLast(client, plan, how) {
    const carId = carIdIn(plan);
    return carId === undefined
      ? 'unknown'
      : findStoredEvent(client, carId, execution.body(plan), how);
  },
  perform: (context, plan, journal) => performPlan(context, execution, plan, journal),
});

/** A photo that can't be read any more holds nothing of what happened: it is told once the event is stored. */
async function queuedPhotos(
  { io }: Context,
  paths: readonly string[],
  options: EventPlan,
): Promise<PhotoFacts[]> {
  if (paths.length === 0) return [];
  const usable = await readPhotos({ io }, paths, options).catch((error: unknown) => {
    if (error instanceof InvalidPhotos) return error.usable;
    throw error;
  });
  return paths.map((path) => usable.find((photo) => photo.path === path) ?? unreadable(path));
}

const unreadable = (path: string): PhotoFacts => ({
  path,
  filename: basename(path),
  sizeBytes: 0,
  contentType: 'image/jpeg',
  width: null,
  height: null,
  hasLocation: false,
});

async function performPlan<P extends EventPlan, R extends CarEventResult>(
  context: Context,
  { what, shownIn, parksIn, perform, print, replan }: Execution<P, R>,
  plan: P,
  journal: Journal,
): Promise<Performed<R>> {
  const { photoField } = context.settings;
  const globalFlags = connectionFlags(context);
  let read: ReadAgain | undefined;
  const onReadAgain = (now: ReadAgain) => {
    read = now;
  };
  const options = { photoField, globalFlags, onReadAgain };
  const { signal } = context.io;
  const progress = showProgress(context, { what, photos: plan.photos, options: plan });
  const client = await context.client();
  const attempt = async (current: P): Promise<[P, R]> => {
    try {
      const performing = () =>
        perform(context, {
          client,
          plan: current,
          options,
          journal,
          onProgress: progress,
          signal,
        }).finally(progress.end);
      return [current, await ignoreKeys(context, performing)];
    } catch (error) {
      if (await wantsAnotherTry(context, error, journal.steps.resume)) return attempt(current);
      if (!replan) throw error;
      const next = await replan(context, current, error, journal);
      await journal.steps.change({ plan: next });
      return attempt(next);
    }
  };
  // Before keys are ignored: it may prompt.
  await context.writes.permit();
  const isOfEarlierRun = journal.steps.mayBeStored('event');
  const [performed, result] = await attempt(plan);
  if (shownIn(performed) !== undefined) noteUncheckedParking(context, client, read);
  const { photos, sessionId, car } = result;
  warnOfDifferences(context, photos);
  await removeStored(
    context,
    photos
      .filter(({ status, differs }) => status === 'stored' && differs === undefined)
      .map(({ file }) => file),
  );
  const { resume, discard } = journal.steps;
  const missing = missingPhotosError(context.io, {
    photos,
    carId: car.id,
    sessionId,
    options: { ...plan, photoField },
    globalFlags,
    resume,
    discard,
    done: `The ${what} is stored`,
  });
  const stored = { what, carId: car.id, at: result.event.occurredAt };
  const isOld = isOfEarlierRun || result.replayed === true;
  const moved = isOld ? await elsewhereBy(context, stored, parksIn(performed)) : undefined;
  // The same line again must not store a second event, whatever is wrong with a photo.
  const open = photos.some(({ status }) => status !== 'stored');
  if (moved) return { result: null, failure: missing ?? moved, open, print: async () => {} };
  return {
    result,
    failure: missing,
    open,
    async print() {
      await print(context, performed, result, options);
      noteUnfulfilled(context, performed, result, what);
      noteSessionless(context, result, what);
    },
  };
}

/** Undefined while the car is where the event left it. */
async function elsewhereBy(
  context: Context,
  stored: Pick<Parameters<typeof movedSince>[1], 'what' | 'carId' | 'at'>,
  place: Place | 'none' | undefined,
): Promise<CliError | undefined> {
  if (place === 'none') return parkedSince(context, stored);
  return place && movedSince(context, { ...stored, place });
}

function noteSessionless(context: Context, { sessionId, photos }: EventResult, what: string): void {
  if (sessionId !== null) return;
  const untied = photos.some(({ error }) => !error)
    ? ', so its photos are stored for the car alone'
    : '';
  context.warn(
    `The ${what} is stored, but the server names no sessionId of it, which the specification (section 4) promises${untied}.`,
  );
}

/** `appointmentId` is beyond the specification: another server may store the event without it. */
function noteUnfulfilled(
  context: Context,
  { appointment }: EventPlan,
  { event }: EventResult,
  what: string,
): void {
  if (!appointment || isSameId(event.appointmentId, appointment.id)) return;
  const complete = nextCommand(
    ['appointments', 'complete', appointment.id],
    connectionFlags(context),
  );
  context.warn(
    `The ${what} is stored, but this server doesn't say that it fulfils the appointment (appointmentId is beyond the specification). If it doesn't: \`${complete}\``,
  );
}

interface PlannedEvent {
  readonly carId: string;
  /** Stored before the event. */
  readonly newCar?: CreateFor<'cars'>;
  /** Stored before the car. */
  readonly newOwner?: CreateFor<'customers'> | undefined;
  readonly body: CreateFor<'carEvents'>;
  readonly plan: EventPlan;
}

/** Prints the requests for --dry-run. Prepares the photos, so that their sizes are true. */
export async function printRequests(
  context: Context,
  { carId, newCar, newOwner, body, plan }: PlannedEvent,
): Promise<void> {
  const requests: PlannedRequest[] = [];
  if (newOwner) requests.push({ method: 'POST', path: '/api/v1/customers', body: newOwner });
  const owner = newOwner && { customerId: '{id of the new owner}' };
  if (newCar)
    requests.push({ method: 'POST', path: '/api/v1/cars', body: { ...newCar, ...owner } });
  requests.push({ method: 'POST', path: `/api/v1/cars/${carId}/events`, body });
  for (const { path } of plan.photos) {
    context.io.signal.throwIfAborted();
    const { filename, sizeBytes } = await preparePhoto(path, plan);
    const photo = {
      sessionId: '{sessionId of the event}',
      filename,
      [context.settings.photoField]: `(${sizeBytes} bytes)`,
    };
    requests.push({ method: 'POST', path: `/api/v1/cars/${carId}/photos`, body: photo });
  }
  await context.output.request(requests);
}

interface ResultText {
  /** `HH-RS 73 is parked in A3 · Hall A · Harbour` */
  readonly headline: string;
  /** Label and value, before those of every event. */
  readonly facts?: readonly (readonly [label: string, value: string | null | undefined])[];
  readonly nextCommands: readonly string[];
}

/** Prints everything as JSON, or the essentials for a person. */
export async function printResult(
  context: Context,
  result: EventResult,
  text: () => ResultText,
): Promise<void> {
  const { output } = context;
  await output.styled(
    output.format === 'id' ? result.event : result,
    output.forPeople ? resultText(context, result, text()) : '',
  );
}

function resultText(
  context: Context,
  { event, photos, sessionId }: EventResult,
  { headline, facts = [], nextCommands }: ResultText,
): string {
  const { styles, settings } = context;
  const lines = labelled(context, [
    ...facts,
    ['Time', localTime(event.occurredAt)],
    ['Notes', event.notes],
    ['Photos', countPhotos(photos)],
    // For support: a person at the counter has no use for them.
    ['Event', settings.verbose ? event.id : undefined],
    ['Session', settings.verbose ? sessionId : undefined],
  ]);
  const notStored = photos
    .filter(({ error, sameAs }) => error || sameAs !== null)
    .map(
      (photo) =>
        `  ${photo.error ? styles.error('✗') : styles.dim('=')} ${sanitize(`${photo.filename}  ${describeUpload(photo)}`)}\n`,
    );
  const title = `${styles.success('✓')} ${styles.title(sanitize(headline))}`;
  return `\n${[`${title}\n`, lines, notStored.join(''), nextLines(context, nextCommands)].filter(Boolean).join('\n')}`;
}

/** A line for each command to run next. */
export const nextLines = (
  { styles }: Pick<Context, 'styles'>,
  commands: readonly string[],
): string =>
  commands
    .map(
      (line, index) =>
        `  ${styles.dim((index === 0 ? 'Next' : '').padEnd(labelWidth))} ${styles.command(sanitize(line))}\n`,
    )
    .join('');

/** `2 stored`, `1 of 2 stored`, `1 of 3 stored, 1 uncertain`, `2 stored, 1 duplicate` */
function countPhotos(photos: readonly PhotoUploadResult[]): string | undefined {
  if (photos.length === 0) return undefined;
  const stored = countStored(photos);
  const uncertain = photos.filter(({ error }) => error?.unknownOutcome).length;
  const duplicates = photos.filter(({ sameAs }) => sameAs !== null).length;
  const distinct = photos.length - duplicates;
  return [
    stored === distinct ? `${stored} stored` : `${stored} of ${distinct} stored`,
    ...(uncertain > 0 ? [`${uncertain} uncertain`] : []),
    ...(duplicates > 0 ? [pluralize(duplicates, 'duplicate', 'duplicates')] : []),
  ].join(', ');
}
