/** Prints what an action will send, and what it stored. */
import { basename } from 'node:path';
import { isSameId } from '../../../client/ids.ts';
import { wasReplayed } from '../../../client/replays.ts';
import { type Car, identityOf, titleOf } from '../../../facility/car-names.ts';
import { fileFor, missingPhotos } from '../../../facility/photo-checklist.ts';
import { isTakingBack } from '../../../facility/taken-back.ts';
import type { Context } from '../../context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localTime } from '../../input/when.ts';
import { labelled, labelWidth } from '../../output/labelled.ts';
import type { Row } from '../../output/view.ts';
import { operationFor } from '../../resources/operation.ts';
import type { Work } from '../../state/work.ts';
import { pluralize, sanitize } from '../../terminal/text.ts';
import { missingText } from '../photos/checklist.ts';
import { preparePhoto } from '../photos/prepare.ts';
import { countStored, describeUpload } from '../photos/upload-result.ts';
import type { ActionRequest, Shown } from './action.ts';
import type { Sent } from './journal.ts';
import type { PhotoUploadResult } from './shape.ts';

/** For --dry-run. Prepares the photos, so that their sizes are true. */
export async function printRequests(
  context: Context,
  requests: readonly ActionRequest[],
): Promise<void> {
  const shown = [];
  for (const { resource, verb, ids, body, file } of requests) {
    context.io.signal.throwIfAborted();
    const photo = file && (await preparePhoto(file.path, file));
    const sent = photo
      ? {
          ...body,
          filename: body.filename ?? photo.filename,
          [context.settings.photoField]: `(${photo.sizeBytes} bytes)`,
        }
      : body;
    const { method, path } = operationFor(resource, verb);
    // `{car.id}` stays as it is: nothing is stored yet.
    const rest = [...ids];
    const filled = path.replace(/\{\w+\}/g, () => rest.shift() as string);
    shown.push({ method, path: `/api/v1${filled}`, body: sent });
  }
  const [only, second] = shown;
  await context.output.request(only && !second ? only : shown);
}

/** Everything that is printed as JSON. */
export function resultOf(shown: Shown, { answers, photos }: Sent): Row {
  const answer = answers.get(shown.answer) as Row;
  if (shown.answer === 'record') return answer;
  const { sessionId } = answer;
  return {
    car: identityOf((answers.get('car') ?? shown.car) as Car),
    ...shown.json,
    [shown.answer]: answer,
    ...(shown.answer === 'event' && {
      photos,
      missingPhotos: notStored(shown, photos),
      sessionId: sessionId ?? null,
    }),
    ...(wasReplayed(answer) && { replayed: true }),
  };
}

/** The names of the list that no stored photo has. */
const notStored = ({ checklist = [] }: Shown, photos: readonly PhotoUploadResult[]): string[] =>
  missingPhotos(
    checklist,
    photos.flatMap(({ status, file }) => (status === 'stored' ? basename(file) : [])),
  );

/** The result of any work. */
export async function printDone(context: Context, work: Work, sent: Sent): Promise<void> {
  if (work.command === 'mcp')
    return context.output.styled(resultOf(work.shown as Shown, sent), `${work.what} stored\n`);
  if (work.command !== 'photos') return printResult(context, work.shown as Shown, sent);
  const { photos } = sent;
  const words = `${countStored(photos)} of ${pluralize(photos.length, 'photo', 'photos')} stored\n`;
  await context.output.styled(photos, words);
}

/** Everything as JSON, or the essentials for a person. */
async function printResult(context: Context, shown: Shown, sent: Sent): Promise<void> {
  const { output, io } = context;
  const answer = sent.answers.get(shown.answer) as Row;
  // The result says that nothing was changed.
  if (shown.json.moved === false)
    io.run.notes = io.run.notes.filter(({ kind }) => kind !== 'not_shown');
  await output.styled(
    output.format === 'id' ? answer : resultOf(shown, sent),
    output.forPeople ? resultText(context, shown, sent) : '',
  );
  noteUnfulfilled(context, shown, answer);
}

function resultText(context: Context, shown: Shown, { answers, photos }: Sent): string {
  const { styles, settings } = context;
  const answer = answers.get(shown.answer) as Row;
  const car = (answers.get('car') ?? shown.car) as Car;
  const missing = notStored(shown, photos);
  const withCar = (text: string) => text.replaceAll('{car}', () => titleOf(car));
  const lines = labelled(context, [
    ...shown.facts,
    ['Time', localTime(answer.occurredAt ?? answer.startedAt)],
    // Those of an undo name the id of what it takes back.
    ['Notes', isTakingBack(answer) && !settings.verbose ? undefined : answer.notes],
    ['Photos', countPhotos(photos)],
    ['Missing', missingText(missing)],
    // For support: a person at the counter has no use for them.
    ['Event', settings.verbose ? answer.id : undefined],
    ['Session', settings.verbose ? answer.sessionId : undefined],
  ]);
  const failed = photos
    .filter(({ error, sameAs }) => error || sameAs !== null)
    .map(
      (photo) =>
        `  ${photo.error ? styles.error('✗') : styles.dim('=')} ${sanitize(`${photo.filename}  ${describeUpload(photo)}`)}\n`,
    );
  const ref = shown.ref ?? car.id;
  const files = missing.map((name) => fileFor(name, ''));
  const session = answer.sessionId ? ['--session', answer.sessionId] : [];
  const next = [
    ...(files.length > 0 ? [['cars', 'photos', 'add', ref, ...session, ...files]] : []),
    ...(countStored(photos) > 0 ? [['cars', 'photos', 'list', ref]] : []),
  ].map((words) => nextCommand(words, connectionFlags(context)));
  const title = `${styles.success('✓')} ${styles.title(sanitize(withCar(shown.headline)))}`;
  return `\n${[`${title}\n`, lines, failed.join(''), nextLines(context, [...shown.next, ...next])].filter(Boolean).join('\n')}`;
}

/** A line for each command to run next. */
const nextLines = ({ styles }: Pick<Context, 'styles'>, commands: readonly string[]): string =>
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

/** `appointmentId` is beyond the specification: another server may store the event without it. */
function noteUnfulfilled(context: Context, { appointmentId, what }: Shown, event: Row): void {
  if (!appointmentId || isSameId(event.appointmentId, appointmentId)) return;
  const complete = nextCommand(
    ['appointments', 'complete', appointmentId],
    connectionFlags(context),
  );
  context.warn(
    `The ${what} is stored, but this server doesn't say that it fulfils the appointment (appointmentId is beyond the specification). If it doesn't: \`${complete}\``,
  );
}
