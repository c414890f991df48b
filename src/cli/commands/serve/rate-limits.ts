/** The flags of `cs serve` that say how much may be asked in a minute. */

import type { RateLimits } from '../../../service/http/rate-limits.ts';
import type { Command } from '../../framework/command.ts';
import { wholeNumber } from '../../framework/flags.ts';

const flags: readonly [keyof RateLimits, string, string][] = [
  ['requestsPerMinute', 'rate-limit', 'requests of one key in a minute; 600 unless given, 0 for no limit'],
  ['burst', 'rate-burst', 'how many of them may come at once; 100 unless given'],
  ['uploadsPerMinute', 'upload-limit', 'uploads of one key in a minute; 60 unless given, 0 for no limit'],
  ['failedKeysPerMinute', 'failed-key-limit', 'refused keys of one address in a minute; 20 unless given, 0 for no limit'],
];

export function addLimitFlags(command: Command): Command {
  for (const [, flag, about] of flags) command.option(`--${flag} <number>`, about, wholeNumber);
  return command;
}

/** What was given, and nothing else: the service knows the rest. */
export function limitsOf(options: Record<string, unknown>): Partial<RateLimits> {
  const given = flags.map(([name, flag]) => [name, options[flag.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())]]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
