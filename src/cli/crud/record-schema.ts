/** The zod schema of records as commands print them: the fields of the contract, and what a server adds. */
import { z } from 'zod';
import { contract, type RecordFor, type ResourceName } from '../../contract/contract.ts';
import { memoize } from '../../contract/memoize.ts';
import { shownFields } from '../../contract/schemas.ts';
import { kebab } from '../terminal/text.ts';

/** Where the fields are described: `cs schema cars`. */
export const recordKey = 'x-record';

const recordSchemas = memoize((name: ResourceName) => z.looseObject(shownFields(contract[name])).meta({ [recordKey]: kebab(name) }));

export const recordSchema = <N extends ResourceName>(name: N): z.ZodType<RecordFor<N>> =>
  recordSchemas(name) as unknown as z.ZodType<RecordFor<N>>;

/** A record with fields that a command adds or replaces. */
export function extendRecord<N extends ResourceName, F extends z.ZodRawShape>(
  name: N,
  fields: F,
): z.ZodType<Omit<RecordFor<N>, keyof F> & z.infer<z.ZodObject<F>>> {
  return recordSchemas(name)
    .extend(fields)
    .meta({ [recordKey]: kebab(name) }) as never;
}
