/** How servers write the same text or time. */
import { z } from 'zod';

export const fold = (value: unknown) => String(value).normalize('NFC').trim().toLowerCase();
export const lettersOf = (value: unknown) => fold(value).replace(/[^\p{L}\p{M}\p{N}@.]/gu, '');

const isoTime = z.iso.datetime({ offset: true });
/** Milliseconds since 1970. Undefined for anything but a whole ISO 8601 time: without an offset it is a different moment in each place. */
export const momentOf = (value: unknown) =>
  isoTime.safeParse(value).success ? Date.parse(String(value)) : undefined;
