/** How servers write the same text or time. */
export const written = (value: unknown) => String(value).normalize('NFC').trim();
export const fold = (value: unknown) => written(value).toLowerCase();
export const lettersOf = (value: unknown) => fold(value).replace(/[^\p{L}\p{M}\p{N}@.]/gu, '');

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
/** Milliseconds since 1970. Undefined for anything but a whole ISO 8601 time: without an offset it is a different moment in each place. */
export function momentOf(value: unknown): number | undefined {
  const time = typeof value === 'string' && isoTime.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
