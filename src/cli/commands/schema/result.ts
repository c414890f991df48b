/** The result of a command as a JSON Schema. */
import { type Json, jsonSchema } from '../../../openapi/schema.ts';
import type { ResultInfo } from './results.ts';

export const describeResult = async ({ name, about, load }: ResultInfo): Promise<Json> => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: name,
  description: about,
  ...jsonSchema(await load(), 'output'),
});
