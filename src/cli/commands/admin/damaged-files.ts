import type { Context } from '../../context.ts';
import type { ExitCode } from '../../errors/exit.ts';
import { joinList } from '../../terminal/text.ts';

const maxNamed = 5;

/** Names the first photos and assets that are missing or damaged. Exit 11 if there are any. */
export function tellDamaged(
  context: Context,
  {
    missing,
    damaged,
  }: { readonly missing: readonly string[]; readonly damaged: readonly string[] },
): ExitCode {
  const keys = [...missing, ...damaged];
  if (keys.length === 0) return 0;
  const others = keys.length - maxNamed;
  const named = [...keys.slice(0, maxNamed), ...(others > 0 ? [`${others} more`] : [])];
  context.warn(`Missing or damaged: ${joinList(named)}. Run \`cs admin check\` for details.`);
  return 11;
}
