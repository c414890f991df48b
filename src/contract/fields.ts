import { z } from 'zod';

/**
 * The value types that several resources share. Every text refuses U+0000 and lone surrogates:
 * neither survives every database and every JSON reader, and what cannot be kept must not be accepted.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 is what it refuses
const keepable = /^[^\u0000\p{Surrogate}]*$/u;

const keepableText = z.string().regex(keepable, 'must not contain U+0000 or half of a surrogate pair');

/** Free text of at most `max` characters; may be several lines, may be empty. */
export const text = kept((max: number) => keepableText.max(max));

/** A text that names something: surrounding space removed, not empty. */
export const line = kept((max: number) => text(max).trim().min(1));

export const name = line(255);
export const notes = text(10_000);
/** Accepts any uuid version (decision); written in lower case. */
export const id = z.guid().toLowerCase();
/**
 * ISO 8601 with an offset or `Z`; the service answers in UTC with milliseconds.
 * Not the years 0000 and 9999, nor what an offset carries there: four digits keep times in order as texts,
 * and every time that is answered can be sent back.
 */
export const timestamp = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time with an offset, such as 2026-11-20T09:00:00+01:00' })
  .regex(/^(?!0000|9999|0001-01-01.*\+|9998-12-31.*-\d\d:\d\d$)/, 'must lie in the years 0001 to 9998');
export const email = z.email().max(254);
export const phone = line(32);
export const url = z.url().max(2_048);
/** A machine name: what integrations type, so it never changes. */
export const slug = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be lower-case letters, digits and _, starting with a letter');
export const count = z.int().min(0);
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');
/** An IANA time zone name. Whether the zone exists is checked by the service. */
export const timezone = z.string().regex(/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/, 'must be an IANA time zone such as Europe/Berlin');

export const address = z.strictObject({
  line1: text(255).nullable().default(null),
  line2: text(255).nullable().default(null),
  city: text(255).nullable().default(null),
  region: text(255).nullable().default(null),
  postalCode: text(32).nullable().default(null),
  country: text(100).nullable().default(null),
});

/** Made once for each length: a command waits for every schema that its start makes. */
function kept<T>(make: (max: number) => T): (max: number) => T {
  const made = new Map<number, T>();
  return (max) => {
    const schema = made.get(max) ?? make(max);
    made.set(max, schema);
    return schema;
  };
}
