/** A restore puts a mark into its folder first and removes it last, so that a partial restore is never used. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { restoreMarkName } from './names.ts';

const markSchema = z.object({
  /** Identifies the restore. */
  id: z.string(),
  /** The backup file. */
  file: z.string(),
});
export type Mark = z.infer<typeof markSchema>;

/** A restore into the folder is running or was interrupted. */
export class UnfinishedRestore extends Error {
  override readonly name = 'UnfinishedRestore';
  /** The backup file, if known. */
  readonly file: string | undefined;

  constructor(data: string, file: string | undefined) {
    super(`The restore into ${data} isn't finished`);
    this.file = file;
  }
}

/** Throws `UnfinishedRestore`. Called before a data folder is opened. */
export function refuseUnfinishedRestore(data: string): void {
  if (existsSync(join(data, restoreMarkName)))
    throw new UnfinishedRestore(data, readMark(data)?.file);
}

/** Undefined without a mark, or if writing it was interrupted. */
export function readMark(data: string): Mark | undefined {
  try {
    return markSchema.safeParse(JSON.parse(readFileSync(join(data, restoreMarkName), 'utf8'))).data;
  } catch {
    return undefined;
  }
}
