import { ApiError } from '../../../client/errors.ts';
import type { Scope } from '../../../contract/scopes.ts';
import { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';

/** Answers a check of what the key may do, for a `drop-off` or whatever `what` says. Another server may not tell that; then it is seen later. */
export async function readScopes(context: Context, what: string): Promise<(...needed: Scope[]) => void> {
  const client = await context.client();
  const me = await client.me.get().catch((error) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
  return (...needed) => {
    const scope = me?.scopes && needed.find((one) => !me.scopes.some((held) => held === one));
    if (!scope) return;
    const [status, login] = ['status', 'login'].map((verb) => nextCommand(['auth', verb], connectionFlags(context)));
    throw new CliError({
      code: 'missing_scope',
      message: `Missing scope: ${scope}. This ${what} needs it. Nothing was stored.`,
      hint: `a key that has ${scope} is needed; \`${status}\` shows what yours has, \`${login}\` takes another`,
      details: { scope },
    });
  };
}
