/** Keys on a command line: others of the machine see it, and the shell keeps it. None is used, and none is repeated. */
import { CliError } from '../errors/exit.ts';

/** A whole key, or one that lost its dot. The part before the dot names a key and is no secret: it is shorter. */
const key = /csk_[\w-]+\.[\w-]+|csk_[\w-]{24,}/;
const everyKey = new RegExp(key, 'g');

/** The password in an address such as postgres://user:password@host, up to the last @ since it may hold one itself, and in its query. */
const everyPassword = /(:\/\/[^\s/:@]*):\S+@/g;
const everyParameter = /([?&](?:\w*password|token|secret)=)[^&\s"']+/gi;

/** Text without the secrets in it: keys, and passwords in addresses. */
export const withoutSecrets = (text: string): string =>
  text.replace(everyKey, 'csk_…').replace(everyPassword, '$1:…@').replace(everyParameter, '$1…');

/** A command that prints a key is stored as it is, so what it holds is the choice of the person. */
const taken = '--key-command';

export const holdsKey = (argv: readonly string[]): boolean =>
  argv.some((word, index) => key.test(word) && !word.startsWith(`${taken}=`) && argv[index - 1] !== taken);

/** The error for a line that holds a key; its hint names the key by its prefix, where it has one. */
export function keyArgument(argv: readonly string[]): CliError {
  const [prefix = 'PREFIX'] = /csk_[\w-]+(?=\.[\w-])/.exec(argv.join(' ')) ?? [];
  return new CliError({
    code: 'key_as_argument',
    message: 'The command line holds an API key, so nothing was done.',
    hint: `your shell may keep this key in its history: revoke it (\`cs admin key revoke ${prefix}\` where the service runs, or the dashboard) and make a new one. Give a key at the prompt of \`cs auth login\`, on stdin (--with-key), in a file (--key-file) or by a helper (--key-command)`,
    exitCode: 2,
  });
}

/** The first line of a text, without a byte order mark, which helper commands may print, and without the space around it. */
export const parseKey = (text: string): string =>
  text
    .replace(/^\ufeff/, '')
    .split('\n', 1)
    .join('')
    .trim();
