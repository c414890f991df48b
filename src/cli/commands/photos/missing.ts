/** What to say when not every photo is stored, and the command that sends the rest. */
import type { CliError } from '../../errors/exit.ts';
import { nextCommand } from '../../framework/next-command.ts';
import type { Io } from '../../terminal/io.ts';
import { shortPath } from '../../terminal/text.ts';
import { uploadShortfall } from '../files/shortfall.ts';
import type { PhotoOutcome } from './outcome.ts';
import type { PhotoOptions } from './prepare.ts';

export interface Sent {
  readonly photos: readonly PhotoOutcome[];
  readonly carId: string;
  readonly sessionId?: string | null;
  readonly options: PhotoOptions;
  /** Global flags that the next command needs too. */
  readonly globalFlags?: readonly string[];
  /** What was stored beside the photos, such as `The drop-off is stored`. */
  readonly done?: string;
}

/** To be thrown once the result is printed. Nothing when all are stored. */
export function missingPhotos(io: Pick<Io, 'cwd' | 'signal'>, sent: Sent): CliError | undefined {
  const missing = sent.photos.filter(({ status }) => status !== 'stored');
  const again = resendCommand(io, sent, missing);
  return uploadShortfall(io, {
    failures: sent.photos.map(({ error }) => error),
    one: 'photo',
    many: 'photos',
    done: sent.done,
    // What is no photo will be none the next time either.
    hint: `${missing.every(({ error }) => error?.exitCode === 3) ? 'see to what is said of each, then send it' : 'send what is missing'}: \`${again}\``,
    details: { again },
  });
}

/** The same photo twice in a session is stored once, so it may also name one that came through. */
function resendCommand({ cwd }: Pick<Io, 'cwd'>, sent: Sent, missing: readonly PhotoOutcome[]): string {
  const { carId, sessionId, options, globalFlags = [] } = sent;
  const files = missing.map(({ file }) => shortPath(cwd, file));
  return nextCommand([
    'cars',
    'photos',
    'add',
    carId,
    ...(sessionId ? ['--session', sessionId] : []),
    ...(options.keepLocation ? ['--keep-location'] : []),
    ...(options.resize === false ? ['--no-resize'] : []),
    ...globalFlags,
    // A file whose name begins with a dash is no flag.
    ...(files.some((file) => file.startsWith('-')) ? ['--'] : []),
    ...files,
  ]);
}
