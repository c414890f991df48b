/** `cs cars photos add`: sends the files, verifies them where asked, and prints a line for each. */
import { basename } from 'node:path';
import { CarStorageError } from '../../../client/errors.ts';
import type { Context } from '../../context.ts';
import { localTime } from '../../input/when.ts';
import { showOutcomes } from '../../output/outcomes.ts';
import { gather } from '../../resources/methods.ts';
import { changeWork, openWork, type Work } from '../../state/work.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { pluralize, shortPath } from '../../terminal/text.ts';
import type { ActionRequest } from '../counter/action.ts';
import { facilityOf, lineOf, openWorkLine } from '../counter/facility.ts';
import {
  closeWork,
  type Finished,
  leaveWork,
  requestsOf,
  sendQueue,
  sendWork,
  withHashes,
  withWork,
} from '../counter/finish.ts';
import { alreadyRunning, lockWork } from '../counter/journal.ts';
import type { PhotoOptions } from '../photos/photo-file.ts';
import type { AddedPhoto } from '../photos/shape.ts';
import { describeUpload } from '../photos/upload-result.ts';
import { unverifiedError, verifiedWords, verifyStored } from '../photos/verify.ts';
import { addedView } from '../photos/view.ts';

export interface PhotosPlan extends Omit<PhotoOptions, 'photoField'> {
  readonly carId: string;
  /** As it was typed. */
  readonly car: string;
  readonly sessionId?: string | undefined;
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Replaces the name of a single file. */
  readonly filename?: string | undefined;
}

interface Adding {
  /** As they were typed. */
  readonly flags: object;
  readonly patterns: readonly string[];
  readonly makePlan: () => Promise<PhotosPlan>;
  /** Number of parallel uploads. */
  readonly parallel?: number | undefined;
  /** Compare the server's photos with what was sent. */
  readonly verify?: boolean | undefined;
}

const parallelUploads = 4;

/** Goes on with what an earlier run of the same line left, and sends what has come since. */
export async function addPhotos(context: Context, adding: Adding): Promise<void> {
  const { io } = context;
  const line = lineOf(context, 'photos', { ...adding.flags }, adding.patterns);
  const here = await facilityOf(context);
  await sendQueue(context, here.id);
  const left = openWorkLine(context, here.id);
  const earlier = openWork(io, here.id).find((work) => work.line === line);
  if (left && !earlier) context.warn(left);
  const plan = await adding.makePlan();
  if (earlier) return resumeUpload(context, adding, { work: earlier, plan });
  const given = {
    command: 'photos',
    what: `upload of ${pluralize(plan.files.length, 'photo', 'photos')} for ${plan.car}`,
    facility: here.id,
    server: here.server,
    key: here.key,
    line,
    happenedAt: io.now().toISOString(),
    car: plan.carId,
    flags: null,
    requests: await withHashes(requestsFor(plan, plan.files)),
    shown: { what: 'photos', ref: plan.car },
  } as const;
  return withWork(context, given, (work) => send(context, adding, work));
}

async function resumeUpload(
  context: Context,
  adding: Adding,
  { work, plan }: { readonly work: Work; readonly plan: PhotosPlan },
): Promise<void> {
  const lock = await lockWork(context.io, work);
  if (!lock) throw alreadyRunning(work.what);
  try {
    const begun = localTime(new Date(work.startedAt).toISOString());
    if (context.io.stderrIsTerminal)
      context.note(`Going on with the ${work.what} that was begun ${begun}.`);
    const known = requestsOf(work);
    const files = plan.files.filter((path) => !known.some(({ file }) => file?.path === path));
    const requests = [...known, ...(await withHashes(requestsFor(plan, files, known.length)))];
    if (files.length > 0) changeWork(context.io, work.id, { requests });
    await send(context, adding, { ...work, requests });
  } finally {
    lock.release();
  }
}

const requestsFor = (
  { carId, sessionId, filename, keepLocation, resize }: PhotosPlan,
  files: readonly string[],
  before = 0,
): ActionRequest[] =>
  files.map((path, index) => ({
    name: `photo-${before + index + 1}`,
    resource: 'carPhotos',
    verb: 'create',
    ids: [carId],
    body: { ...(sessionId && { sessionId }), ...(filename && { filename }) },
    file: { path, keepLocation, resize },
  }));

async function send(context: Context, adding: Adding, work: Work): Promise<void> {
  const { parallel = parallelUploads } = adding;
  let done: Finished;
  try {
    done = await sendWork(context, work, { parallel });
  } catch (error) {
    throw await leaveWork(context, work, error, { keeps: false });
  }
  const { photos, unlisted } = await verify(context, adding, done);
  await print(context, photos);
  closeWork(context, done);
  const failure =
    done.failure ?? unverifiedError(context, photos, { exitCode: 11, reason: unlisted });
  if (failure) throw failure;
}

/** `unlisted`: why the server's photos couldn't be listed. */
async function verify(
  context: Context,
  { verify: isAsked }: Adding,
  { work, sent: { photos: uploads, contents } }: Finished,
): Promise<{ readonly photos: AddedPhoto[]; readonly unlisted?: string }> {
  const stored = uploads.filter(({ photoId }) => photoId !== null).length;
  const sent = uploads.map((upload, index) => ({ upload, content: contents[index] }));
  if (!isAsked || stored === 0 || context.io.signal.aborted)
    return { photos: sent.map(({ upload }) => ({ ...upload, verified: null })) };
  const spinner = await startSpinner(
    context,
    `Comparing ${pluralize(stored, 'photo', 'photos')} with those of the server`,
  );
  const client = await context.client();
  const listed = await gather(client.carPhotos.all(String(requestsOf(work)[0]?.ids[0])))
    .catch((error: unknown) => {
      if (error instanceof CarStorageError) return error;
      throw error;
    })
    .finally(() => spinner.stop());
  if (listed instanceof CarStorageError)
    return {
      photos: sent.map(({ upload }) => ({
        ...upload,
        verified: upload.photoId === null ? null : 'unknown',
      })),
      unlisted: listed.message,
    };
  const photos = sent.map(({ upload, content }): AddedPhoto => {
    const { photoId: id, filename, sameAs } = upload;
    // A photo that two files share has the name of the first.
    const name = sameAs === null ? filename : basename(sameAs);
    const shown = content && { ...content, filename: name };
    return {
      ...upload,
      verified: id === null ? null : verifyStored(listed, { id, content: shown }),
    };
  });
  return { photos };
}

async function print(context: Context, photos: readonly AddedPhoto[]): Promise<void> {
  const isNew = ({ photoId, sameAs }: AddedPhoto) => photoId !== null && sameAs === null;
  const lines = photos.map((photo) => {
    const text = isNew(photo)
      ? `photo ${photo.photoId} added  ${photo.filename}`
      : `${shortPath(context.io.cwd, photo.file)}  ${describeUpload(photo)}`;
    return photo.verified === null ? text : `${text}  ${verifiedWords[photo.verified]}`;
  });
  const shown =
    context.output.format === 'id'
      ? photos.filter(isNew).map(({ photoId }) => ({ id: photoId }))
      : photos;
  await showOutcomes(context.output, { view: addedView, outcomes: shown, lines });
}
