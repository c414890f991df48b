/** An entry of the table of error codes, and the exit codes. */

/** Every exit code with its meaning, as `cs help exit-codes` prints it. */
export const exitCodes = {
  0: 'success, also for an empty list',
  1: 'bug or unexpected error',
  2: 'usage: unknown command or flag, missing value, unreadable configuration',
  3: 'invalid input, found by cs or refused by the server (422 and other 4xx)',
  4: 'not signed in, or the server refused the key (401)',
  5: 'not allowed (403)',
  6: 'not found (404)',
  7: 'conflict with another record or with the current state of this one',
  8: 'rate limited after all retries (429)',
  9: 'network, TLS or timeout, the answer came from another service, or the server lacks the operation',
  10: 'server error (5xx)',
  11: 'partial: some items failed; the result lists them',
  12: 'change or drift found, with --exit-code or `cs doctor`',
  13: 'declined at a prompt',
  14: 'ambiguous name',
  15: "stored, but the result couldn't be printed: don't run it again",
  130: 'stopped by SIGINT (Ctrl-C)',
  143: 'stopped by SIGTERM, SIGHUP or SIGBREAK',
} as const;

export type ExitCode = keyof typeof exitCodes;

export interface CodeInfo {
  /** Several where it depends on the situation; the first is the default. */
  readonly exit: ExitCode | readonly ExitCode[];
  readonly means: string;
  /** The next step; commands in backquotes. Its first sentence is the hint of an error that has no other. */
  readonly next: string;
  /** A shorter hint. `{field}` is the flag of that field in the command. */
  readonly hint?: string;
  /** A code of the service that cs also gives itself, when it can tell the answer without a request. */
  readonly local?: true;
}
