/** Progress on stderr: a line for each photo while it is prepared and sent, and how far all of them are. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { formatBytes } from '../../../contract/limits.ts';
import type { Context } from '../../context.ts';
import { sanitize } from '../../terminal/text.ts';
import { fill, widest } from '../../terminal/width.ts';
import { formatDistinctBytes, willShrink } from '../photos/describe.ts';
import type { PhotoOptions } from '../photos/photo-file.ts';
import { startUploadProgress } from '../photos/upload-progress.ts';
import { describeUpload } from '../photos/upload-result.ts';
import { type Progress, stepWords } from './journal.ts';

const eraseLine = '\r\u001b[K';

export interface ProgressDisplay {
  (progress: Progress): void;
  /** Erases the line of a step that never finished. */
  readonly end: () => void;
}

interface Shown {
  /** `drop-off` */
  readonly what: string;
  readonly files: readonly ({ readonly path: string } & PhotoOptions)[];
}

/** Lines that change in a terminal, otherwise one line for each finished photo. */
export function showProgress(
  { io, settings, styles, output }: Context,
  { what, files }: Shown,
): ProgressDisplay {
  const photos = files.map(({ path, ...options }) => ({
    options,
    facts: { filename: basename(path), sizeBytes: fileSize(path) },
  }));
  // In a script, stderr holds the error object and nothing else.
  const silent = settings.quiet || (!io.stderrIsTerminal && !output.forPeople);
  if (silent) return Object.assign(() => {}, { end: () => {} });
  const animated = io.stderrIsTerminal && io.env.TERM !== 'dumb';
  // Room for `5.2 MB → 2.4 MB` if one of them will be shrunk.
  const sizeWidth = photos.some(({ facts, options }) => willShrink(facts, options)) ? 19 : 9;
  const longestWord = 'shrinking …';
  const width = widest(
    photos.map(({ facts }) => sanitize(facts.filename)),
    // A wrapped line couldn't be erased.
    (io.columns ?? 80) - sizeWidth - longestWord.length - 9,
  );
  const upload = startUploadProgress(
    photos.map(({ facts }) => facts.sizeBytes),
    () => io.now().getTime(),
  );
  let unfinished = false;
  const write = (mark: string, text: string, last: boolean) => {
    if (!last && !animated) return;
    unfinished = !last;
    io.stderr.write(
      `${animated ? eraseLine : ''}${animated ? `  ${mark} ` : ''}${text}${last ? '\n' : ''}`,
    );
  };
  const show = (step: Progress) => {
    if (step.of !== 'photo') {
      const isAnswer = step.name === 'event' || step.name === 'assignment';
      const name = isAnswer ? what : stepWords(step.name);
      const stored = `${name.charAt(0).toUpperCase()}${name.slice(1)} stored`;
      return step.phase === 'stored'
        ? write(styles.success('✓'), stored, true)
        : write(styles.dim('·'), `Storing the ${name} …`, false);
    }
    const { phase, index, prepared, sameAs = null } = step;
    const { facts, options } = photos[index] as (typeof photos)[number];
    const sizes =
      prepared?.shrunk && prepared.sizeBytes !== facts.sizeBytes
        ? formatDistinctBytes(facts.sizeBytes, prepared.sizeBytes).join(' → ')
        : formatBytes(facts.sizeBytes);
    const words = {
      preparing: willShrink(facts, options) ? 'shrinking …' : 'reading …',
      sending: 'sending …',
      stored: describeUpload({ status: 'stored', sameAs, error: null }),
      failed: 'failed',
    };
    const marks = {
      preparing: styles.dim('·'),
      sending: styles.command('↑'),
      stored: styles.success('✓'),
      failed: styles.error('✗'),
    };
    const done = phase === 'stored' || phase === 'failed';
    if (prepared && phase === 'sending') upload.prepared(index, prepared.sizeBytes);
    if (done) upload.ended(index);
    const word =
      phase === 'stored'
        ? styles.success(sanitize(words.stored))
        : phase === 'failed'
          ? styles.error(words.failed)
          : styles.dim(words[phase]);
    // Only where it fits: a wrapped line couldn't be erased.
    const total = `  ${upload.text()}`;
    const used = 4 + width + 2 + sizeWidth + 2 + longestWord.length + total.length;
    const shownTotal =
      !done && photos.length > 1 && used < (io.columns ?? 80) ? styles.dim(total) : '';
    write(
      marks[phase],
      `${fill(sanitize(facts.filename), width)}  ${sizes.padEnd(sizeWidth)}  ${word}${shownTotal}`,
      done,
    );
  };
  return Object.assign(show, { end: () => void (unfinished && io.stderr.write(eraseLine)) });
}

/** 0 for a file that is gone, which is told when it is sent. */
export const fileSize = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.size ?? 0;
