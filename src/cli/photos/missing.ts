/** What to say when not every photo is stored, and the command that sends the rest. */
import { CliError, type ExitCode, exitCodeOf } from '../exit.ts';
import type { Io } from '../io.ts';
import { nextCommand } from '../next-command.ts';
import { counted, shortPath } from '../text.ts';
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
  if (missing.length === 0) return undefined;
  const { aborted, reason } = io.signal;
  const again = resendCommand(io, sent, missing);
  const { code, exitCode } = aborted ? { code: 'interrupted', exitCode: exitCodeOf(reason) } : verdict(sent, missing);
  const left = leftOut(sent.photos.length, missing);
  const what = sent.done ? `${sent.done}, ${left}` : left;
  return new CliError({
    code,
    message: `${aborted ? 'Stopped. ' : ''}${what}${oneReason(missing)}.`,
    hint: `send what is missing: \`${again}\``,
    details: { again },
    exitCode,
  });
}

/** None stored, and all for one reason: that reason is the honest answer. */
function verdict({ photos, done }: Sent, missing: readonly PhotoOutcome[]): { code: string; exitCode: ExitCode } {
  const [first] = missing;
  const alike = !done && missing.length === photos.length && new Set(missing.map(({ error }) => error?.exitCode)).size === 1;
  return alike && first?.error ? first.error : { code: 'partial', exitCode: 11 };
}

/** `1 of 3 photos not stored, 1 of 3 photos perhaps not stored` */
function leftOut(count: number, missing: readonly PhotoOutcome[]): string {
  const unknown = missing.filter(({ error }) => error?.unknownOutcome).length;
  const sure = missing.length - unknown;
  const total = counted(count, 'photo', 'photos');
  return [sure > 0 && `${sure} of ${total} not stored`, unknown > 0 && `${unknown} of ${total} perhaps not stored`]
    .filter(Boolean)
    .join(', ');
}

/** Why, when one reason holds for all; the result tells each. */
function oneReason(missing: readonly PhotoOutcome[]): string {
  const messages = new Set(missing.flatMap(({ error }) => (error && error.code !== 'interrupted' ? [error.message] : [])));
  const [only] = messages;
  return messages.size === 1 && only !== undefined ? `: ${only.replace(/\.$/, '')}` : '';
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
