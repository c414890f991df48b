/** Names of teams, keys, accounts, screens and event types: the owner's commands and the dashboard store them by one rule. */
import { z } from 'zod';
import { check } from '../../contract/check.ts';
import { plainName } from '../../contract/fields.ts';
import { invalid } from '../problem.ts';

/** The name as it is stored. Throws `validation_failed` about `path`. */
export function readName(given: string, path = 'name'): string {
  const result = check(z.object({ [path]: plainName }), { [path]: given });
  if ('issues' in result) throw invalid(result.issues);
  return result.value[path] as string;
}
