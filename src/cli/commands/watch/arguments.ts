/** What a command line asks to watch: resources with their parents, and filters. */

import type { SyncName } from '../../../client/client.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import { checkValues, fieldNamed, readValue } from '../../resources/fields.ts';
import { filterFields } from '../../resources/list.ts';
import { idsOf, parentsOf } from '../../resources/operation.ts';
import type { LookupScope } from '../../resources/scope.ts';
import { kebab, nearest } from '../../terminal/text.ts';
import { kebabName, listableResources, parseResource, resourceOf } from '../bulk/resources.ts';
import type { Watched } from './watcher.ts';

/** Each resource takes as many of the next words as it has parents. */
export async function readWatched(
  context: Context,
  words: readonly string[],
  filters: readonly string[],
): Promise<Watched[]> {
  const found: { name: SyncName; parents: readonly string[] }[] = [];
  for (let at = 0; at < words.length; ) {
    const name = parseResource(words[at] as string, listableResources);
    const wanted = parentsOf(resourceOf(name));
    const parents = words.slice(at + 1, at + 1 + wanted.length);
    if (parents.length < wanted.length) {
      const needed = wanted.map((parent) => parent.name.toUpperCase()).join(' ');
      throw usage(
        `Missing ${needed}: ${kebabName(name)} belong to other records.`,
        `write it like \`cs watch ${kebabName(name)} ${needed}\`; write filters with --filter`,
      );
    }
    found.push({ name, parents });
    at += 1 + wanted.length;
  }
  const filtersOf = assignFilters(
    found.map(({ name }) => name),
    filters,
  );
  return Promise.all(
    found.map(async ({ name, parents }, index) => {
      const within = await idsOf(context, name, parents);
      return {
        name,
        within,
        query: await readFilters(context, name, filtersOf[index] ?? [], within),
      };
    }),
  );
}

/** With several resources, `cars.status=stored` names the one that it is for. */
function assignFilters(
  names: readonly SyncName[],
  filters: readonly string[],
): readonly (readonly string[])[] {
  const assigned: string[][] = names.map(() => []);
  for (const text of filters) {
    const [, word = '', rest] = /^([\w-]+)\.(.*)$/s.exec(text) ?? [];
    const index =
      names.length === 1 && rest === undefined
        ? 0
        : names.findIndex((name) => [name, kebabName(name)].includes(word));
    const own = assigned[index];
    if (!own)
      throw usage(
        names.length === 1
          ? `Invalid --filter "${text}".`
          : `--filter "${text}" names none of the resources.`,
        names.length === 1
          ? 'write it like name=value'
          : `write it like ${kebabName(names[0] as SyncName)}.name=value`,
      );
    own.push(rest ?? text);
  }
  return assigned;
}

/** Reads `--filter name=value` into a query; names become ids. Exit 2 for an unknown filter, 3 for an invalid value. */
async function readFilters(
  context: Context,
  name: SyncName,
  given: readonly string[],
  parents: readonly string[],
): Promise<Record<string, unknown>> {
  const fields = filterFields(resourceOf(name));
  const known = fields.map((field) => kebab(field.name));
  const typed = given.map((text) => {
    const at = text.indexOf('=');
    const word = text.slice(0, Math.max(at, 0)).trim();
    if (word === '')
      throw usage(`Invalid --filter "${text}".`, `write it like ${known[0] ?? 'name'}=value`);
    const field = fields.find((one) => one.name === fieldNamed(fields, word));
    if (!field) {
      const [close] = nearest(word, known);
      const list =
        known.length > 0 ? `choose from ${known.join(', ')}` : `${kebabName(name)} have no filters`;
      throw usage(
        `"${word}" isn't a filter of ${kebabName(name)}.`,
        close ? `did you mean ${close}? ${list}` : list,
      );
    }
    return { field, text: text.slice(at + 1).trim() };
  });
  const query: Record<string, unknown> = {};
  const locationFlag = known.includes('location-id') ? '--filter location=NAME' : undefined;
  // The location first: other names are looked up there.
  typed.sort(
    (a, b) => Number(b.field.name === 'locationId') - Number(a.field.name === 'locationId'),
  );
  for (const { field, text } of typed)
    query[field.name] = await readOne(context, field, text, {
      parents,
      locationId: query.locationId,
      locationFlag,
    });
  checkValues(fields, query);
  return query;
}

async function readOne(
  context: Context,
  field: Parameters<typeof readValue>[1],
  text: string,
  scope: LookupScope,
): Promise<unknown> {
  if (field.kind === 'boolean')
    return { true: true, yes: true, false: false, no: false }[text] ?? text;
  return readValue(context, field, field.list ? [text] : text, scope);
}
