import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';

/** Seconds of --watch, undefined without a number. Exit 2 without a terminal. */
export function readSeconds(
  { io, output }: Context,
  given: string | true,
  { command, hint }: { readonly command: string; readonly hint: string },
): number | undefined {
  if (!io.stdoutIsTerminal || !output.forPeople || io.env.TERM === 'dumb')
    throw usage(
      '--watch requires a terminal and table output.',
      `leave it out: \`cs ${command}\` shows it once, \`cs ${command} -o json\` prints the records`,
    );
  if (given === true) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(given))
    throw usage(`--watch: "${given}" isn't a number of seconds.`, hint);
  return Number(given);
}
