/** For a property of many: each one without it, with what was found. A test expects none. */
export async function offenders<T extends { readonly name: string }>(
  all: readonly T[],
  check: (one: T) => unknown,
): Promise<string[]> {
  const found: string[] = [];
  for (const one of all)
    try {
      await check(one);
    } catch (error) {
      found.push(`${one.name}: ${(error as Error).message}`);
    }
  return found;
}

/** Milliseconds for a test of every command on a slow machine. */
export const forMany = 600_000;
