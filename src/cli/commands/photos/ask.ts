/** The prompt for photos: paths on one line, with Tab completion. */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { askLine, askOption } from '../../prompts/prompts.ts';
import { print } from '../../prompts/run.ts';
import { breakIndented, pluralize, quote, sanitize, shortPath } from '../../terminal/text.ts';
import { photoTable } from './describe.ts';
import { photoExtension } from './find.ts';
import type { PhoneFlags } from './flags.ts';
import { isInPhoneFolder } from './phone-folder.ts';
import type { PhotoFacts, PhotoOptions } from './photo-file.ts';
import { prepareAhead } from './prepare-ahead.ts';
import { InvalidPhotos, readPhotos } from './read.ts';
import { pathsIn, splitPaths } from './typed-paths.ts';

const label = 'Photos';

const longHint = 'files, a folder or a pattern; phone for a phone; Enter for none';
/** Columns for the question with the whole hint. */
const roomForHint = 78;

/** A folder of this name is `./phone`. */
const phoneAnswer = 'phone';

interface PhotosQuestion {
  /** Of the screen for a phone: `HH-RS 73 · drop-off`. */
  readonly title: string;
  /** The photos to change. */
  readonly earlier?: readonly PhotoFacts[] | undefined;
  /** The line to start with. */
  readonly initial?: string;
}

/** Photos as files, folders or patterns, typed or dropped on the terminal; or from a phone. */
export async function askPhotos(
  context: Context,
  options: PhotoOptions & PhoneFlags,
  { title, earlier, initial }: PhotosQuestion,
): Promise<readonly PhotoFacts[]> {
  const askPhone = async (there: readonly PhotoFacts[]) =>
    (await import('./from-phone.ts')).photosFromPhone(context, options, { title, earlier: there });
  if (options.phone && earlier === undefined) return askPhone([]);
  const ofPhone = (earlier ?? []).filter(({ path }) => isInPhoneFolder(context.io, path));
  let photos: readonly PhotoFacts[] = [];
  let unusable: InvalidPhotos | undefined;
  const answer = await askLine(context, {
    label,
    hint:
      (context.io.columns ?? 80) < roomForHint
        ? 'files or a folder; phone; Enter for none'
        : longHint,
    initial: initial ?? (ofPhone.length > 0 ? phoneAnswer : typedPaths(context, earlier)),
    complete: (line) => completePath(line, context.io),
    check: async (text) => {
      photos = [];
      unusable = undefined;
      if (text === phoneAnswer) return undefined;
      try {
        const patterns = await pathsIn(text, context.io);
        photos = patterns.length === 0 ? [] : await readPhotos(context, patterns, options);
        return undefined;
      } catch (error) {
        if (!(error instanceof InvalidPhotos)) throw error;
        if (error.usable.length === 0) return describeIssues(error);
        unusable = error;
        photos = error.usable;
        return undefined;
      }
    },
  });
  if (answer === phoneAnswer) return askPhone(ofPhone);
  if (unusable && !(await agreesToSkip(context, unusable)))
    return askPhotos(context, options, { title, earlier, initial: answer });
  // A step back shows the pattern, not the many files that it found.
  context.asking?.entered.set(label, { typed: answer });
  prepareAhead(context, photos, options);
  if (photos.length > 0) print(context, `${photoTable(context, photos, options)}\n`);
  return photos;
}

/** Lists the files that can't be used, and asks whether the others are enough. */
async function agreesToSkip(
  context: Context,
  { details: { issues }, usable }: InvalidPhotos,
): Promise<boolean> {
  const { io, styles } = context;
  print(
    context,
    issues
      .map(
        ({ message }) =>
          `  ${styles.error('✗')} ${breakIndented(sanitize(message), io.columns, 4)}\n`,
      )
      .join(''),
  );
  const these = issues.length === 1 ? 'this one' : `these ${issues.length}`;
  return askOption(context, {
    label: 'What now?',
    options: [
      {
        name: `Skip ${these} and go on with ${pluralize(usable.length, 'photo', 'photos')}`,
        short: `Skip ${these}`,
        value: true,
      },
      { name: 'Choose the photos again', value: false },
    ],
  });
}

const typedPaths = (
  { io }: Pick<Context, 'io'>,
  photos: readonly PhotoFacts[] = [],
): string | undefined =>
  photos.length === 0
    ? undefined
    : photos.map(({ path }) => quote(shortPath(io.cwd, path))).join(' ');

function describeIssues({ details: { issues }, hint }: InvalidPhotos): string {
  const messages = issues.map(({ message }) => message).join('; ');
  return issues.length === 1
    ? `${messages}; ${hint}.`
    : `${pluralize(issues.length, 'file', 'files')} can't be used: ${messages}`;
}

interface CompleteOptions {
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** The text that completes the last path of a line: the common beginning of the matching folders and photos. */
export async function completePath(
  line: string,
  { cwd, home, platform }: CompleteOptions,
): Promise<string> {
  const typed = lastWord(line, platform);
  const inFolder = typed === '' || typed.endsWith('/');
  const path = typed.replace(/^~(?=\/)/, home);
  const [folder, prefix] = inFolder
    ? [resolve(cwd, path), '']
    : [resolve(cwd, dirname(path)), basename(path)];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const matches = entries
    .filter(
      (entry) => entry.name.startsWith(prefix) && (prefix !== '' || !entry.name.startsWith('.')),
    )
    .filter((entry) => entry.isDirectory() || photoExtension.test(entry.name))
    .map((entry) => (entry.isDirectory() ? join(entry.name, '/') : entry.name));
  const [only, second] = matches;
  if (only === undefined) return '';
  const added = commonPrefix(matches).slice(prefix.length);
  const quote = openQuote(line);
  const text =
    quote === undefined && platform !== 'win32' ? added.replace(/[\s'"\\]/g, '\\$&') : added;
  // A single file ends the path; a folder continues it.
  return second === undefined && !only.endsWith('/') ? `${text}${quote ?? ''} ` : text;
}

function lastWord(line: string, platform: NodeJS.Platform): string {
  // The marker tells an unfinished word from a trailing space.
  const word = splitPaths(`${line}\u0000`, platform).at(-1) ?? '';
  return word.replace('\u0000', '');
}

function openQuote(line: string): string | undefined {
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === '\\' && quote === undefined) at += 1;
    else if (quote === undefined ? character === '"' || character === "'" : character === quote)
      quote = quote === undefined ? character : undefined;
  }
  return quote;
}

function commonPrefix(names: readonly string[]): string {
  const [first = '', ...rest] = names;
  let length = first.length;
  for (const name of rest) while (!name.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
