/** The prompt for photos: paths on one line, with Tab completion. */
import { fileFor, missingPhotos } from '../../../facility/photo-checklist.ts';
import type { Context } from '../../context.ts';
import { labelled } from '../../output/labelled.ts';
import { askLine, askOption } from '../../prompts/prompts.ts';
import { print } from '../../prompts/run.ts';
import { breakIndented, pluralize, quote, sanitize, shortPath } from '../../terminal/text.ts';
import { missingText } from './checklist.ts';
import { photoTable } from './describe.ts';
import type { PhoneFlags } from './flags.ts';
import { isFromPhone } from './phone-folder.ts';
import type { PhotoFacts, PhotoOptions } from './photo-file.ts';
import { InvalidPhotos, readPhotos } from './read.ts';
import { completePath, pathsIn } from './typed-paths.ts';

const label = 'Photos';

/** A folder of this name is `./phone`. */
const phoneAnswer = 'phone';

interface PhotosQuestion {
  /** Of the screen for a phone: `HH-RS 73 · drop-off`. */
  readonly title: string;
  /** The photos to change. */
  readonly earlier?: readonly PhotoFacts[] | undefined;
  /** The line to start with, and what is wrong with it. */
  readonly initial?: string | undefined;
  readonly wrong?: string | undefined;
  /** The photos that there should be. */
  readonly checklist?: readonly string[];
}

type AskOptions = PhotoOptions & PhoneFlags & { readonly requirePhotos?: boolean | undefined };

/** With `requirePhotos` it is asked again until none of the list is missing. */
export async function askPhotos(
  context: Context,
  options: AskOptions,
  question: PhotosQuestion,
): Promise<readonly PhotoFacts[]> {
  const { checklist = [] } = question;
  const photos = await askOnce(context, options, question);
  const missing = missingText(
    missingPhotos(
      checklist,
      photos.map(({ filename }) => filename),
    ),
  );
  if (missing && options.requirePhotos) {
    context.warn(`Missing: ${missing}. Name the files so, or take the photos with a phone.`);
    return askPhotos(context, { ...options, phone: false }, { ...question, earlier: photos });
  }
  if (missing) print(context, labelled(context, [['Missing', missing]]));
  return photos;
}

/** Photos as files, folders or patterns, typed or dropped on the terminal; or from a phone. */
async function askOnce(
  context: Context,
  options: AskOptions,
  question: PhotosQuestion,
): Promise<readonly PhotoFacts[]> {
  const { io } = context;
  const { title, earlier, initial, wrong, checklist = [] } = question;
  if (checklist.length > 0)
    print(
      context,
      labelled(context, [
        ['Wanted', `${checklist.join(', ')} (${fileFor(checklist[0] as string, '')})`],
      ]),
    );
  const askPhone = async (earlier: readonly PhotoFacts[]) =>
    (await import('./from-phone.ts')).photosFromPhone(context, options, {
      title,
      earlier,
      checklist,
    });
  if (options.phone && earlier === undefined) return askPhone([]);
  const ofPhone = (earlier ?? []).filter(({ path }) => isFromPhone(io, path));
  const typed = (earlier ?? []).map(({ path }) => quote(shortPath(io.cwd, path))).join(' ');
  let photos: readonly PhotoFacts[] = [];
  let unusable: InvalidPhotos | undefined;
  const answer = await askLine(context, {
    label,
    hint:
      (io.columns ?? 80) < 78
        ? 'files or a folder; phone; Enter for none'
        : 'files, a folder or a pattern; phone for a phone; Enter for none',
    initial: initial ?? (ofPhone.length > 0 ? phoneAnswer : typed || undefined),
    wrong,
    complete: (line) => completePath(line, io),
    check: async (text) => {
      photos = [];
      unusable = undefined;
      if (text === phoneAnswer) return undefined;
      try {
        photos = await readPhotos(context, await pathsIn(text, io), options);
      } catch (error) {
        if (!(error instanceof InvalidPhotos)) throw error;
        if (error.usable.length === 0) return describeIssues(error);
        unusable = error;
        photos = error.usable;
      }
      return undefined;
    },
  });
  if (answer === phoneAnswer) return askPhone(ofPhone);
  if (unusable && !(await agreesToSkip(context, unusable))) {
    context.asking?.erase();
    const wrong = describeIssues(unusable);
    return askOnce(context, options, { ...question, initial: answer, wrong });
  }
  // A step back shows the pattern, not the many files that it found.
  context.asking?.entered.set(label, { typed: answer });
  if (photos.length > 0) print(context, `${photoTable(context, photos, options)}\n`);
  return photos;
}

/** Lists the files that can't be used, and asks whether the others are enough. */
async function agreesToSkip(
  context: Context,
  { details: { issues }, usable }: InvalidPhotos,
): Promise<boolean> {
  const { io, styles } = context;
  const line = ({ message }: { message: string }) =>
    `  ${styles.error('✗')} ${breakIndented(sanitize(message), io.columns, 4)}\n`;
  print(context, issues.map(line).join(''));
  const skip = `Skip ${issues.length === 1 ? 'this one' : `these ${issues.length}`}`;
  return askOption(context, {
    label: 'What now?',
    options: [
      {
        name: `${skip} and go on with ${pluralize(usable.length, 'photo', 'photos')}`,
        short: skip,
        value: true,
      },
      { name: 'Choose the photos again', value: false },
    ],
  });
}

function describeIssues({ details: { issues }, hint }: InvalidPhotos): string {
  const messages = issues.map(({ message }) => message).join('; ');
  return issues.length === 1
    ? `${messages}; ${hint}.`
    : `${pluralize(issues.length, 'file', 'files')} can't be used: ${messages}`;
}
