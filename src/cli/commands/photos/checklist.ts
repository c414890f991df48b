/** The photos that events of a type should have: as the server says, or else the profile. */
import type { RecordFor } from '../../../contract/contract.ts';
import { fileFor, missingPhotos, namesIn, photosOf } from '../../../facility/photo-checklist.ts';
import { invalidValue, problemOf, settingNamed } from '../../config/setting-list.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import { joinList } from '../../terminal/text.ts';
import type { PhotoFacts } from './photo-file.ts';

type EventType = Pick<RecordFor<'eventTypes'>, 'value'> & { readonly photos?: unknown };

export function checklistOf({ settings, io }: Pick<Context, 'settings' | 'io'>, type: EventType) {
  const ofType = photosOf(type);
  const info = settingNamed(`photos.${type.value}`);
  const found = ofType.length === 0 && info && settings.find(info.name);
  if (!info || !found) return ofType;
  const wrong = problemOf(info, found.value, io.now());
  if (wrong) throw invalidValue(info.variable, found.value, wrong);
  return namesIn(found.value);
}

/** `rear.jpg and damage.jpg`; undefined where nothing is missing. */
export const missingText = (names: readonly string[]): string | undefined =>
  joinList(names.map((name) => fileFor(name, ''))) || undefined;

interface Planned {
  readonly eventType?: EventType | undefined;
  readonly photos?: readonly Pick<PhotoFacts, 'filename'>[] | undefined;
}

export const missingIn = (context: Context, { eventType, photos = [] }: Planned): string[] =>
  missingPhotos(
    eventType ? checklistOf(context, eventType) : [],
    photos.map(({ filename }) => filename),
  );

/** For --require-photos. Exit 2 where a photo of the list is missing, or no list is known. */
export function requirePhotos(context: Context, plan: Planned): void {
  const { eventType: type } = plan;
  if (!type || checklistOf(context, type).length === 0)
    throw usage(
      `--require-photos: no photos are listed for ${type?.value ?? 'this event'}. Nothing was sent.`,
      `list them with \`cs config set photos.${type?.value ?? 'TYPE'} front,rear\``,
    );
  const missing = missingText(missingIn(context, plan));
  if (missing)
    throw usage(
      `Missing photos: ${missing}. Nothing was sent.`,
      'add them with --photo; the name of a file says what it shows',
    );
}
