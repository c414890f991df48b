const atOnce = 8;

/**
 * Works on many files, eight at a time: a store answers slowly, but many at once. After a failure no other file is begun; it is thrown
 * once nothing runs any more.
 */
export async function forEachFile<T>(
  files: readonly T[],
  act: (file: T, at: number) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  // One queue for all.
  const left = files.entries();
  const work = async () => {
    for (const [at, file] of left) {
      if (failures.length > 0) return;
      await act(file, at).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length > 0) throw failures[0];
}
