/** The help topics. `topics/page.ts` defines their layout and wraps them. */
import { environment } from './topics/environment.ts';
import { exitCodesText } from './topics/exit-codes.ts';
import { formatting } from './topics/formatting.ts';
import { keys } from './topics/keys.ts';
import { scripting } from './topics/scripting.ts';

export const topics: Readonly<Record<string, { summary: string; text: () => string }>> = {
  environment: { summary: 'Environment variables', text: environment },
  'exit-codes': { summary: 'What each exit code means', text: exitCodesText },
  formatting: { summary: 'Tables, JSON, CSV, fields and jq', text: formatting },
  scripting: { summary: 'Recipes for scripts and jobs', text: scripting },
  keys: { summary: 'Keys, scopes and profiles', text: keys },
};
