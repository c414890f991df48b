/** A page of a list as a server answered it, and what it says of the pages after it. */
import type { JsonAnswer } from './answers.ts';

export interface PageQuery {
  page: number;
  limit: number;
  updatedAfter?: string;
}

/** The specification (section 8) has data and all three numbers; some servers send the records alone. */
export interface ListBody<T> {
  data: T[];
  page?: number;
  limit?: number;
  total?: number;
  /** The server promises that the list has all that meets every parameter, that `total` counts it on all pages, and that a page is as large as its `limit`. */
  countsAllPages?: boolean;
  /** What says that more records follow: `"has_more": true`. */
  more?: More;
  /** The server says that none follow: `"has_more": false`. */
  endsHere?: boolean;
}

type Following = Pick<ListBody<unknown>, 'more' | 'endsHere'>;

export interface More {
  readonly text: string;
  /** A yes or no. A cursor may be there although nothing follows. */
  readonly isStated: boolean;
}

/** The header of that promise: `total-of: all-pages`. */
export const totalOfHeader = 'total-of';

export function listBodyOf<T>({
  body,
  headers,
}: Pick<JsonAnswer, 'body' | 'headers'>): ListBody<T> {
  const answered = body as ListBody<T>;
  return {
    ...answered,
    countsAllPages: headers[totalOfHeader] === 'all-pages',
    ...followingIn(answered),
  };
}

const stated = /^(has_?(more|next(_?page)?)|more|(is_?)?truncated)$/i;
const next =
  /^((next|continuation)[_-]?(cursor|token|page([_-]?(token|url))?|link|ur[li]|href|offset)?|cursor)$/i;

/** Paging of other kinds than that of the specification, beside the records or one level below. */
function followingIn({ data: _, ...frame }: ListBody<unknown>): Following {
  const entries = Object.entries(frame).flatMap(([name, value]) => [
    [name, value] as const,
    ...(isObject(value) ? Object.entries(value) : []),
  ]);
  const flags = entries.filter(([name, value]) => stated.test(name) && typeof value === 'boolean');
  const [name, value] =
    flags.find(([, flag]) => flag) ?? (flags.length === 0 ? (entries.find(isCursor) ?? []) : []);
  if (name === undefined) return flags.length > 0 ? { endsHere: true } : {};
  return {
    more: { text: `${JSON.stringify(name)}: ${JSON.stringify(value)}`, isStated: flags.length > 0 },
  };
}

const isCursor = ([name, value]: readonly [string, unknown]): boolean =>
  next.test(name) && Boolean(value);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
