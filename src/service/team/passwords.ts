/** Passwords of team admins: argon2id, two at a time. */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Issue } from '../../contract/problems.ts';
import { takeTurns } from '../turns.ts';

/** KiB of memory, passes over it, lanes: 19 MiB and two passes take some 40 ms (OWASP's first choice for argon2id). */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1 } as const;
const tagLength = 32;

export const passwordLength = { min: 15, max: 256 } as const;

const derive = promisify(argon2) as (
  algorithm: 'argon2id',
  parameters: Argon2Parameters,
) => Promise<Buffer>;

/** Whether this Node can hash passwords: one that uses an old OpenSSL of the system can't. */
export const canHashPasswords = (): boolean => typeof argon2 === 'function';

const advice = 'a sentence of four words is easy to remember';

/** What is wrong with a new password; undefined if nothing is. Any characters are allowed, and no kind is required. */
export async function passwordIssue(
  password: string,
  { email, teamName }: { email: string; teamName: string },
): Promise<Issue | undefined> {
  const issue = (rule: string, message: string): Issue => ({ path: 'password', rule, message });
  const { length } = [...password.normalize('NFC')];
  if (length < passwordLength.min)
    return issue('too_small', `needs at least ${passwordLength.min} characters; ${advice}`);
  if (length > passwordLength.max)
    return issue('too_big', `has more than ${passwordLength.max} characters`);
  const lower = password.toLowerCase();
  const known = [email.split('@', 1)[0] ?? '', teamName]
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2);
  const found = known.find((word) => lower.includes(word));
  if (found !== undefined) return issue('guessable', `contains ${found}, which others know`);
  if (repeats(lower))
    return issue('guessable', `repeats the same few characters or steps; ${advice}`);
  if (await isCommon(lower))
    return issue('guessable', `consists of one or two of the most common passwords; ${advice}`);
  return undefined;
}

/** Whether the steps from letter to letter are the same few again and again: 15 spaces, abcabcabcabcabc, 123456789012345. */
function repeats(text: string): boolean {
  const steps = Array.from(
    { length: text.length - 1 },
    (_, at) => text.charCodeAt(at + 1) - text.charCodeAt(at),
  );
  const sizes = Array.from({ length: Math.ceil((steps.length * 2) / 3) }, (_, at) => at + 1);
  return sizes.some((size) => steps.slice(size).every((step, at) => step === steps[at]));
}

/** The 49,000 most common passwords. Read when the first password is set: that takes 10 ms. */
let common: Promise<ReadonlySet<string>> | undefined;
const readCommon = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
};

/** Whether letters and digits are a common password, or two in a row: few of them have 15 characters, as password1234567 does. */
async function isCommon(text: string): Promise<boolean> {
  common ??= readCommon();
  const known = await common;
  const plain = text.replace(/[^\p{L}\p{N}]/gu, '');
  return (
    known.has(plain) ||
    Array.from(plain, (_, at) => at).some(
      (at) => known.has(plain.slice(0, at)) && known.has(plain.slice(at)),
    )
  );
}

/** The hash in PHC form, which names its own cost. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await inTurn(() =>
    derive('argon2id', { ...cost, tagLength, message: bytesOf(password), nonce: salt }),
  );
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Without a hash it takes the same time, and never matches. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [
    ,
    memory = cost.memory,
    passes = cost.passes,
    parallelism = cost.parallelism,
    salt = '',
    tag = '',
  ] = phc.exec(stored ?? '') ?? [];
  const expected = Buffer.from(tag, 'base64');
  const found = await inTurn(() =>
    derive('argon2id', {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: expected.length || tagLength,
      message: bytesOf(password),
      nonce: salt ? Buffer.from(salt, 'base64') : randomBytes(16),
    }),
  );
  return expected.length > 0 && timingSafeEqual(found, expected);
}

/** The same letters, however a keyboard composes them. */
const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFC'));
/** Without padding, as the form wants it. */
const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/** Hashing takes 19 MiB each, and threads that other work needs too. */
const inTurn = takeTurns({ most: 2, mostWaiting: 8, refusal: 'Too many sign-ins at once' });
