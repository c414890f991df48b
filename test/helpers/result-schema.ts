/** Holds what a command prints against the schema that `cs schema` prints of it. */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { cs } from './cli.ts';

export const ajv = new Ajv2020.default({
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  keywords: ['x-record'],
});
addFormats.default(ajv);

const validators = new Map<string, Promise<ValidateFunction>>();

const validatorOf = (name: string): Promise<ValidateFunction> => {
  const loading =
    validators.get(name) ??
    cs(['schema', ...name.split(' ')]).then(({ json }) => ajv.compile(json));
  validators.set(name, loading);
  return loading;
};

/** The places where the result isn't as described: `/0/spots/1/kind must be string`. */
export async function resultViolations(name: string, result: unknown): Promise<string[]> {
  const validate = await validatorOf(name);
  validate(result);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
