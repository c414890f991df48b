/** API keys and passwords in text: parsed, found and redacted. */
import { CliError } from '../errors/exit.ts';

/**
 * A complete key, or one without its dot. The part before the dot is public, and shorter than the
 * second pattern.
 */
const keyPattern = /csk_[\w-]+\.[\w-]+|csk_[\w-]{24,}/;
const everyKey = new RegExp(keyPattern, 'g');

/**
 * The password in a URL such as postgres://user:password@host, up to the last @ because a password
 * may contain one.
 */
const everyPassword = /(:\/\/[^\s/:@]*):\S+@/g;
/** Secrets in the query of a URL. */
const everyParameter = /([?&](?:\w*password|token|secret)=)[^&\s"']+/gi;

/** Replaces keys, and passwords in URLs. */
export const redactSecrets = (text: string): string =>
  text.replace(everyKey, 'csk_…').replace(everyPassword, '$1:…@').replace(everyParameter, '$1…');

/** A helper command is stored as typed, so a key in it is the person's choice. */
const keyCommandFlag = '--key-command';

export const containsKey = (argv: readonly string[]): boolean =>
  argv.some(
    (word, index) =>
      keyPattern.test(word) &&
      !word.startsWith(`${keyCommandFlag}=`) &&
      argv[index - 1] !== keyCommandFlag,
  );

/**
 * Other users of the machine can see a command line, and the shell keeps it. The hint names the key
 * by its prefix.
 */
export function keyArgumentError(argv: readonly string[]): CliError {
  const [prefix = 'PREFIX'] = /csk_[\w-]+(?=\.[\w-])/.exec(argv.join(' ')) ?? [];
  return new CliError({
    code: 'usage',
    message: "API keys aren't accepted on the command line; nothing was done.",
    hint: `your shell history may contain this key: revoke it (\`cs admin key revoke ${prefix}\` on the server, or in the dashboard) and create a new one. Enter a key at the prompt of \`cs auth login\`, on stdin (--with-key), from a file (--key-file) or from a helper command (--key-command)`,
  });
}

/** The first line, trimmed, without a byte order mark (some helper commands print one). */
export const parseKey = (text: string): string =>
  text
    .replace(/^\ufeff/, '')
    .split('\n', 1)
    .join('')
    .trim();
