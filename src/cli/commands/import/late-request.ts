/** Requests that nobody waited for: the server may carry them out late. */
import { setTimeout as delay } from 'node:timers/promises';
import { defaultTimeoutMs } from '../../../client/options.ts';
import type { Context } from '../../context.ts';
import type { Io } from '../../terminal/io.ts';

const longestRequestMs = 600_000;

/** The last moment at which a request that was sent then may be carried out. */
export const endOf = (sentAt: string): string =>
  new Date(Date.parse(sentAt) + longestRequestMs).toISOString();

/** The server's time, ISO 8601, to the second; this machine's where no answer told it. */
export const serverTimeOf = ({ now, run }: Pick<Io, 'now' | 'run'>): string =>
  new Date(now().getTime() + (run.serverClockOffset ?? 0)).toISOString();

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
