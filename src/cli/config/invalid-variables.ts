/** Environment variables with invalid values, for commands that report them instead of failing. */
import type { Io } from '../terminal/io.ts';
import type { GlobalOptions } from './setting-list.ts';
import { settingList } from './setting-list.ts';
import { resolveSettings, type Settings } from './settings.ts';

/** Like `resolveSettings`, without the invalid variables. Flags are still checked. */
export function settingsIgnoringInvalid(io: Io, options: GlobalOptions): Settings {
  const invalid = findInvalid(io).map(({ variable }) => variable);
  return resolveSettings(invalid.length > 0 ? withEnv(io, without(io.env, invalid)) : io, options);
}

export const invalidVariableErrors = (io: Io): unknown[] =>
  findInvalid(io).map(({ error }) => error);

function findInvalid(io: Io): { variable: string; error: unknown }[] {
  const known = settingList.map(({ variable }) => variable);
  return known.flatMap((variable) => {
    if (!io.env[variable]) return [];
    try {
      const others = known.filter((one) => one !== variable);
      resolveSettings(withEnv(io, without(io.env, others)), {});
      return [];
    } catch (error) {
      return [{ variable, error }];
    }
  });
}

function without(env: Io['env'], variables: readonly string[]): Io['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !variables.includes(name)));
}

/** Inherits from `io`, because copying it would open its streams. */
const withEnv = (io: Io, env: Io['env']): Io => Object.create(io, { env: { value: env } });
