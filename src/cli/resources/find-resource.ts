/** Finds a resource, and one of its verbs, by the words that people type. */
import { contract } from '../../contract/contract.ts';
import { type Operation, operationsOf } from '../../contract/operations.ts';
import type { Resource } from '../../contract/resource.ts';
import { CliError } from '../errors/exit.ts';
import { normalizeName } from '../input/matching.ts';
import { kebab, nearest } from '../terminal/text.ts';

export const resources: readonly Resource[] = Object.values(contract);

/** `parking-spots` */
export const kebabName = ({ name }: Resource): string => kebab(name);

/**
 * `parking spots`, `parking-spots`, `parkingSpots` and `parking spot` are the same; a verb may
 * follow. Exit 2 for anything else.
 */
export function findSchema(words: readonly string[]): {
  resource: Resource;
  operation?: Operation;
} {
  const whole = resourceOf(words.join(' '));
  if (whole) return { resource: whole };
  const verb = words.at(-1) as string;
  const resource = words.length > 1 ? resourceOf(words.slice(0, -1).join(' ')) : undefined;
  if (!resource)
    throw unknown(words.join(' '), resources.map(kebabName), 'resource', '`cs schema` lists them');
  const operations = operationsOf(resource);
  const operation = operations.find((one) => one.verb === verb.toLowerCase());
  if (operation) return { resource, operation };
  const verbs = operations.map((one) => one.verb);
  throw unknown(verb, verbs, `${kebabName(resource)} verb`, `it has ${verbs.join(', ')}`);
}

/**
 * By its name, by the end of its path (`campaigns content`), or by the last word of its plural
 * where that is unique.
 */
function resourceOf(text: string): Resource | undefined {
  const named = resources.find(({ name, singular, plural, path }) =>
    is(text, name, singular, plural, ...pathWords(path)),
  );
  if (named) return named;
  const [only, second] = resources.filter(({ plural }) =>
    is(text, plural.split(' ').at(-1) as string),
  );
  return second ? undefined : only;
}

const is = (text: string, ...known: string[]): boolean =>
  known.some((one) => normalizeName(one) === normalizeName(text));

/** `/marketing/campaigns/{id}/content` as `campaigns content`. */
function pathWords(path: string): string[] {
  const words = path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  return [words.slice(-2).join(' ')];
}

function unknown(
  text: string,
  known: readonly string[],
  what: string,
  otherwise: string,
): CliError {
  const [close] = nearest(text.toLowerCase().replace(/[\s_]+/g, '-'), known);
  return new CliError({
    code: 'usage',
    message: `Unknown ${what} "${text}".`,
    hint: close ? `did you mean ${close}?` : otherwise,
  });
}
