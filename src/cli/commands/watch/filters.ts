/** `--filter name=value`: the filters that the list of a resource has. */

import type { SyncName } from '../../../client/client.ts';
import { checkValues, fieldNamed, readValue } from '../../crud/fields.ts';
import { filterFields } from '../../crud/list.ts';
import { usage } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import type { LookupScope } from '../../lookup/scope.ts';
import { kebab, nearest } from '../../terminal/text.ts';
import { kebabName, resourceOf } from '../bulk/resources.ts';

/** What the filters mean to the server; names become ids. Exit 2 for a filter that there is not, 3 for a value that it cannot have. */
export async function readFilters(
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
    if (word === '') throw usage(`--filter "${text}" is no filter.`, `write it like ${known[0] ?? 'name'}=value`);
    const field = fields.find((one) => one.name === fieldNamed(fields, word));
    if (!field) {
      const [close] = nearest(word, known);
      const list = known.length > 0 ? `there is: ${known.join(', ')}` : `${kebabName(name)} have no filters`;
      throw usage(`"${word}" is no filter of ${kebabName(name)}.`, close ? `did you mean ${close}? ${list}` : list);
    }
    return { field, text: text.slice(at + 1).trim() };
  });
  const query: Record<string, unknown> = {};
  const locationFlag = known.includes('location-id') ? '--filter location=NAME' : undefined;
  // The location comes first: what else is named may lie there.
  typed.sort((a, b) => Number(b.field.name === 'locationId') - Number(a.field.name === 'locationId'));
  for (const { field, text } of typed)
    query[field.name] = await readOne(context, field, text, { parents, locationId: query.locationId, locationFlag });
  checkValues(fields, query);
  return query;
}

async function readOne(context: Context, field: Parameters<typeof readValue>[1], text: string, beside: LookupScope): Promise<unknown> {
  if (field.kind === 'boolean') return { true: true, yes: true, false: false, no: false }[text] ?? text;
  return readValue(context, field, field.list ? [text] : text, beside);
}
