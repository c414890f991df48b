/** The help topics. `topics/page.ts` lays them out. */
import { environment } from './topics/environment.ts';
import { exitCodesText } from './topics/exit-codes.ts';
import { formatting } from './topics/formatting.ts';
import { keys } from './topics/keys.ts';
import type { Part } from './topics/page.ts';
import { scripting } from './topics/scripting.ts';

export const topics: Readonly<Record<string, { summary: string; parts: () => Part[] }>> = {
  environment: { summary: 'Environment variables', parts: environment },
  'exit-codes': { summary: 'What each exit code means', parts: exitCodesText },
  formatting: { summary: 'Tables, JSON, CSV, fields and jq', parts: formatting },
  scripting: { summary: 'Recipes for scripts and jobs', parts: scripting },
  keys: { summary: 'Keys, scopes and profiles', parts: keys },
};
