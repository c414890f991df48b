/** How far an unfinished command came, in words. */
import { pluralize } from '../../terminal/text.ts';
import type { StepLine, StoredEntry } from './entry.ts';

export type StepState = StepLine['state'] | 'not_sent';

/** The steps that began, and a photo for each file. */
export function stepsOf({ entry, lines }: StoredEntry): {
  readonly step: string;
  readonly state: StepState;
  readonly file: string | null;
}[] {
  const photos = entry.files.map(({ path }, index) => ({ step: photoStep(index), file: path }));
  const requests = [...lines.keys()]
    .filter((step) => !isPhotoStep(step))
    .map((step) => ({ step, file: null }));
  return [...requests, ...photos].map(({ step, file }) => ({
    step,
    state: lines.get(step)?.state ?? 'not_sent',
    file,
  }));
}

/** The name of the step that sends the photo at this position. */
export const photoStep = (index: number): string => `photo-${index + 1}`;

export const isPhotoStep = (step: string): boolean => step.startsWith('photo-');

export const stateWords: Readonly<Record<StepState, string>> = {
  done: 'stored',
  sent: 'sent without an answer',
  refused: 'refused',
  not_sent: 'not sent',
};

/** `event stored, 2 of 5 photos stored`; `nothing sent`; `queued` without a server */
export function describeState(stored: StoredEntry): string {
  const steps = stepsOf(stored);
  const requests = steps
    .filter(({ file }) => file === null)
    .map(({ step, state }) => `${step} ${stateWords[state]}`);
  const photos = steps.filter(({ file }) => file !== null);
  const storedPhotos = photos.filter(({ state }) => state === 'done').length;
  const begun = requests.length > 0 || photos.some(({ state }) => state !== 'not_sent');
  if (!begun && stored.isIncomplete) return 'perhaps sent';
  if (!begun) return stored.entry.queued ? 'queued' : 'nothing sent';
  return [
    ...requests,
    ...(photos.length > 0
      ? [`${storedPhotos} of ${pluralize(photos.length, 'photo', 'photos')} stored`]
      : []),
  ].join(', ');
}
