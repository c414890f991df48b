/** How servers write the same value: texts, words of an enumeration, times and phone numbers. */
import { z } from 'zod';

export const fold = (value: unknown) => String(value).normalize('NFC').trim().toLowerCase();
export const lettersOf = (value: unknown) => fold(value).replace(/[^\p{L}\p{M}\p{N}@.]/gu, '');
/** `NO-SHOW` and `no_show` are the same word. */
export const foldWord = (value: unknown) => fold(value).replace(/[\s_-]/g, '');

const isoTime = z.iso.datetime({ offset: true });
/** Milliseconds since 1970. Undefined for anything but a whole ISO 8601 time: without an offset it is a different moment in each place. */
export const momentOf = (value: unknown) =>
  isoTime.safeParse(value).success ? Date.parse(String(value)) : undefined;

/** Less than a second doesn't count, since servers may store whole seconds. */
export const isSameMoment = (a: number, b: number) => Math.abs(a - b) < 1_000;

/** The same number, one of them with the prefix of its country or a leading zero. */
export function isSamePhone(a: unknown, b: unknown): boolean {
  const [short = '', long = ''] = [a, b]
    .map((one) => String(one).replace(/\D/g, '').replace(/^0+/, ''))
    .sort((x, y) => x.length - y.length);
  return short.length >= 6 ? long.endsWith(short) : short === long && short !== '';
}
