/** Settings for who is asked what is wrong with them: variables of the environment that no other command goes on with are left out. */
import type { Io } from '../terminal/io.ts';
import type { GlobalOptions } from './setting-list.ts';
import { settingList } from './setting-list.ts';
import { resolveSettings, type Settings } from './settings.ts';

/** As `resolveSettings`; flags are checked all the same, since they were typed just now. */
export function tolerantSettings(io: Io, options: GlobalOptions): Settings {
  const wrong = wrongOnes(io).map(({ variable }) => variable);
  return resolveSettings(wrong.length > 0 ? withEnv(io, without(io.env, wrong)) : io, options);
}

/** Why each of the variables is refused. */
export const wrongVariables = (io: Io): unknown[] => wrongOnes(io).map(({ error }) => error);

function wrongOnes(io: Io): { variable: string; error: unknown }[] {
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

/** By inheritance: to copy the streams would open them. */
const withEnv = (io: Io, env: Io['env']): Io => Object.create(io, { env: { value: env } });
