/** How far a work is, in one line of a terminal: the step that is sent, then how many photos and bytes. */
import { statSync } from 'node:fs';
import type { Context } from '../../context.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { startUploadProgress } from '../photos/upload-progress.ts';
import type { ActionRequest } from './action.ts';
import { type Progress, stepWords } from './journal.ts';

export interface ProgressDisplay {
  (progress: Progress): void;
  readonly end: () => void;
}

interface Shown {
  /** `drop-off` */
  readonly what: string;
  /** Without those that are stored. */
  readonly requests: readonly ActionRequest[];
  /** Nothing but photos: says at the end what was sent. */
  readonly isUpload: boolean;
}

export async function showProgress(
  context: Context,
  { what, requests, isUpload }: Shown,
): Promise<ProgressDisplay> {
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
