import { z } from 'zod';
import { memoize } from './memoize.ts';

/**
 * Value types of several resources. Every text refuses U+0000 and lone surrogates: not every database and JSON reader keeps them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 is what it refuses
const keepable = /^[^\u0000\p{Surrogate}]*$/u;

const keepableText = z
  .string()
  .regex(keepable, 'must not contain U+0000 or half of a surrogate pair');

/** Free text of at most `max` characters; may have several lines or be empty. */
export const text = memoize((max: number) => keepableText.max(max));

/** A name: not empty, without surrounding white space. */
export const line = memoize((max: number) => keepableText.trim().min(1).max(max));

/** In capitals, of which `max` are counted: ß is two. */
export const capitals = (max: number) => line(max).toUpperCase().max(max);

export const name = line(255);
/** A name that tells people what something is: nothing in it changes how the text around it reads. */
export const plainName = name.regex(
  /^[^\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]*$/u,
  'must not contain control characters or marks that turn the direction of text',
);
export const notes = text(10_000);
/** Accepts any uuid version (decision); written in lower case. */
export const id = z.guid().toLowerCase();
/**
 * ISO 8601 with an offset or `Z`; the service answers in UTC with milliseconds.
 * The years 0000 and 9999 are refused, also after applying the offset: with four digits times sort as text,
 * and every time in an answer can be sent back.
 */
export const timestamp = z.iso
  .datetime({
    offset: true,
    error: 'must be an ISO 8601 time with an offset, such as 2026-11-20T09:00:00+01:00',
  })
  .regex(
    /^(?!0000|9999|0001-01-01.*\+|9998-12-31.*-\d\d:\d\d$)/,
    'must be in the years 0001 to 9998',
  );
export const email = z.email().max(254);
export const phone = line(32);
export const url = z.url().max(2_048);
/** A machine name for integrations; it never changes. */
export const notSlug = 'must be lower-case letters, digits and _, starting with a letter';
export const slug = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, notSlug);
export const count = z.int().min(0);
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');
/** An IANA time zone name. The service checks that the zone exists. */
export const timezone = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/, 'must be an IANA time zone such as Europe/Berlin');

export const address = z.strictObject({
  line1: text(255).nullable().default(null),
  line2: text(255).nullable().default(null),
  city: text(255).nullable().default(null),
  region: text(255).nullable().default(null),
  postalCode: text(32).nullable().default(null),
  country: text(100).nullable().default(null),
});
