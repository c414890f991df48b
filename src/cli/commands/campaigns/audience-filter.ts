/** Whom an audience is made of, a flag for each part. */
import type { z } from 'zod';
import { campaignAudiences } from '../../../contract/campaigns.ts';
import { addFieldFlags, checkValues, type FlagField, flagFields, readValues } from '../../crud/fields.ts';
import { methodsOf } from '../../crud/methods.ts';
import type { MoreFlags } from '../../crud/resource.ts';
import { usage } from '../../errors/exit.ts';
import { kebab } from '../../terminal/text.ts';

const about: Readonly<Record<string, string>> = {
  customerStatus: 'Customers in one of these states',
  tags: 'Customers with one of these tags',
  locationId: 'Customers with a car at this location',
  customerIds: 'These customers',
};
const { filter } = campaignAudiences.fields;
const references: Readonly<Record<string, string>> = filter.innerReferences ?? {};
const parts = Object.entries(filter.schema.shape).map(([name, schema]) => [name, schema.unwrap() as z.ZodType] as const);
const fields: readonly FlagField[] = flagFields(
  Object.fromEntries(parts.map(([name, schema]) => [name, { schema, about: about[name] ?? name, references: references[name] }])),
);

/** The parts that are not named stay as they are; `--clear tags` empties one. */
export const audienceFilter: MoreFlags = {
  add: (command) => addFieldFlags(command, fields),
  async read(context, { options, parents, ids, body }) {
    const values = await readValues(context, fields, options, { parents });
    checkValues(fields, values);
    for (const { name, flag } of fields) {
      for (const called of [name, flag.slice(2), kebab(name)]) {
        if (body[called] !== null) continue;
        delete body[called];
        values[name] ??= name === 'locationId' ? null : [];
      }
    }
    if (Object.keys(values).length === 0) return {};
    if (ids && ids.length !== 1)
      throw usage(
        'What an audience is made of is changed one audience at a time.',
        'name one audience, or give the whole filter with --input',
      );
    const [id] = ids ?? [];
    const present =
      body.filter ?? (id === undefined ? {} : (await methodsOf(await context.client(), 'campaignAudiences').get(...parents, id)).filter);
    return { filter: { ...(present as object), ...values } };
  },
};
