/** A line for each photo while it is made ready and sent. Nothing moves without a terminal. */
import type { Context } from '../../framework/context.ts';
import { sanitize } from '../../terminal/text.ts';
import { fill, widest } from '../../terminal/width.ts';
import { formatBytes, formatBytesApart } from '../photos/describe.ts';
import type { PhotoFacts } from '../photos/facts.ts';
import { outcomeWords } from '../photos/outcome.ts';
import { type PhotoOptions, willShrink } from '../photos/prepare.ts';
import type { EventStep } from './perform.ts';

const eraseLine = '\r\u001b[K';

export interface Progress {
  (step: EventStep): void;
  /** Takes the line away that tells of what was never finished. */
  readonly end: () => void;
}

/** Writes what happens to stderr: lines that change on a terminal, one line for each finished photo otherwise. */
export function showProgress(
  { io, settings, paint, output }: Context,
  { what, photos, options }: { /** `drop-off` */ what: string; photos: readonly PhotoFacts[]; options: PhotoOptions },
): Progress {
  // A script finds one object on stderr when something failed, and nothing else.
  const nobody = settings.quiet || (!io.stderrIsTerminal && output.format !== 'table');
  if (nobody) return Object.assign(() => {}, { end: () => {} });
  const moves = io.stderrIsTerminal && io.env.TERM !== 'dumb';
  // `5.2 MB → 2.4 MB`, where one of them will read so.
  const sizeWidth = photos.some((facts) => willShrink(facts, options)) ? 17 : 8;
  const longestWord = 'shrinking …'.length;
  const width = widest(
    photos.map(({ filename }) => sanitize(filename)),
    // A line that is wrapped could not be taken away again.
    (io.columns ?? 80) - sizeWidth - longestWord - 9,
  );
  let unfinished = false;
  const put = (mark: string, text: string, last: boolean) => {
    if (!last && !moves) return;
    unfinished = !last;
    io.stderr.write(`${moves ? eraseLine : ''}${moves ? `  ${mark} ` : ''}${text}${last ? '\n' : ''}`);
  };
  const show = (step: EventStep) => {
    if (step.of !== 'photo') {
      const name = step.of === 'car' ? 'car' : what;
      const stored = `${name.charAt(0).toUpperCase()}${name.slice(1)} stored`;
      return step.phase === 'stored' ? put(paint.good('✓'), stored, true) : put(paint.dim('·'), `Storing the ${name} …`, false);
    }
    const { phase, index, prepared, sameAs = null } = step;
    const facts = photos[index] as PhotoFacts;
    const sizes =
      prepared?.shrunk && prepared.sizeBytes !== facts.sizeBytes
        ? formatBytesApart(facts.sizeBytes, prepared.sizeBytes).join(' → ')
        : formatBytes(facts.sizeBytes);
    const words = {
      preparing: willShrink(facts, options) ? 'shrinking …' : 'reading …',
      sending: 'sending …',
      stored: outcomeWords({ status: 'stored', sameAs, error: null }),
      failed: 'failed',
    };
    const marks = { preparing: paint.dim('·'), sending: paint.command('↑'), stored: paint.good('✓'), failed: paint.bad('✗') };
    const done = phase === 'stored' || phase === 'failed';
    const word =
      phase === 'stored' ? paint.good(sanitize(words.stored)) : phase === 'failed' ? paint.bad(words.failed) : paint.dim(words[phase]);
    put(marks[phase], `${fill(sanitize(facts.filename), width)}  ${sizes.padEnd(sizeWidth)}  ${word}`, done);
  };
  return Object.assign(show, { end: () => void (unfinished && io.stderr.write(eraseLine)) });
}
