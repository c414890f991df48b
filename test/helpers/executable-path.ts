import { join } from 'node:path';

/** Where the tests build the executable. */
export const executable: string = join(
  import.meta.dirname,
  `../../release/cs-${process.platform}-${process.arch}`,
);
