/** A step that was sent without an answer, on a server that can't tell whether it carried it out: what a person decides, and is told. */
import { setTimeout as delay } from 'node:timers/promises';
import { defaultTimeoutMs } from '../../../client/options.ts';
import type { Context } from '../../context.ts';
import { CliError, declined } from '../../errors/exit.ts';
import { reportOf, sentence } from '../../errors/report.ts';
import { localTime } from '../../input/when.ts';
import { capitalized } from '../../terminal/text.ts';
import { isPhotoStep } from './describe.ts';
import type { Entry } from './entry.ts';
import { serverTimeOf } from './moment.ts';
import { discardCommand } from './resume-command.ts';

interface Unanswered {
  readonly entry: Entry;
  readonly step: string;
  /** The command that finishes the entry. */
  readonly resume: string;
  /** Until when the server may still be at it, ISO 8601; undefined where that is over. */
  readonly runsUntil: string | undefined;
}

/** After a crash the server may get the last request late, for as long as its time-out. `what`: in a sentence. False where that is over. */
export async function outwait(context: Context, what: string, sentAt: string): Promise<boolean> {
  const { io, settings } = context;
  const { timeoutMs = defaultTimeoutMs } = settings;
  const left = Math.min(Date.parse(sentAt) + timeoutMs - Date.parse(serverTimeOf(io)), timeoutMs);
  if (left <= 0) return false;
  if (context.output.forPeople || io.stderrIsTerminal) {
    // A step that is shown as running has no end of line.
    io.stderr.write('\n');
    context.note(
      `The last request of the ${what} may still be on its way to the server. Looking again in ${Math.ceil(left / 1_000)} s.`,
    );
  }
  const sleep =
    io.waiting?.sleep ?? ((ms: number, signal?: AbortSignal) => delay(ms, undefined, { signal }));
  await sleep(left, io.signal);
  return true;
}

/** Throws if it may not be sent again. */
export async function requireResend(
  context: Context,
  { entry, step, resume, runsUntil }: Unanswered,
): Promise<void> {
  const what = `${nameOf(step)} of the ${entry.what}`;
  const end = runsUntil && localTime(runsUntil);
  const message = end
    ? `The server has nothing of ${what} yet, and may still be at it until ${end}: nobody waited for its answer.`
    : `This server can't tell whether ${what} was stored.`;
  if (context.interactive && !context.settings.yes) {
    const { confirm } = await import('../../prompts/confirm.ts');
    // A step that is shown as running has no end of line.
    context.io.stderr.write('\n');
    context.warn(message);
    const next = `Finish it with \`${resume}\`, or forget it with \`${discardCommand(entry)}\`.`;
    return confirm(context, 'Send it again?', {
      otherwise: declined(`Not sent again. ${capitalized(what)} may be stored. ${next}`),
    });
  }
  throw outcomeUnknown(entry, step, {
    message: `${message} It wasn't sent again.`,
    hint: end
      ? `wait until ${end} and run \`${resume}\`, or send it now with \`${resume} --resend\``
      : `check it there, then run \`${resume} --resend\`, or \`${discardCommand(entry)}\``,
  });
}

/** The error of a second try. */
export const refusedAgain = (entry: Entry, step: string, error: unknown): CliError =>
  outcomeUnknown(entry, step, {
    message: `${sentence(reportOf(error).message)} That is the answer to the second try: the first may have stored ${nameOf(step)} of the ${entry.what}.`,
    hint: `check it there and correct what is missing, then run \`${discardCommand(entry)}\``,
  });

const outcomeUnknown = (
  entry: Entry,
  step: string,
  { message, hint }: { message: string; hint: string },
): CliError =>
  new CliError({
    code: 'outcome_unknown',
    message,
    hint,
    details: { id: entry.id, step },
  });

const nameOf = (step: string): string =>
  isPhotoStep(step) ? step.replace('-', ' ') : `the ${step}`;
