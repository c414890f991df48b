/** For a property of many: each one without it, with what was found. A test expects none. */
export async function offenders<T extends { readonly name: string }>(
  all: readonly T[],
  check: (one: T, at: number) => unknown,
): Promise<string[]> {
  const found: string[] = [];
  for (const [at, one] of all.entries())
    try {
      await check(one, at);
    } catch (error) {
      found.push(`${one.name}: ${(error as Error).message}`);
    }
  return found;
}

/** `count` of the variants of something that doesn't depend on the one tested, others for the next one: all of them occur among many. */
export const inTurn = <V>(variants: readonly V[], at: number, count = 1): V[] =>
  Array.from(
    { length: Math.min(count, variants.length) },
    (_, next) => variants[(at * count + next) % variants.length] as V,
  );

/** Milliseconds for a test of every command on a slow machine. */
export const forMany = 600_000;
