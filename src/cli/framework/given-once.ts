import { usage } from '../errors/exit.ts';

/** The value of an argument that is also a flag. */
export function givenOnce(
  argument: string | undefined,
  name: string,
  flag: string | undefined,
): string | undefined {
  if (argument !== undefined && flag !== undefined)
    throw usage(`"${argument}" and ${name} "${flag}" can't be used together.`, 'use one of them');
  return argument ?? flag;
}
