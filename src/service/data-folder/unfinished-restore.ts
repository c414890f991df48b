/** A restore marks its folder first and removes the mark last, so that nobody takes half of a backup for a facility. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const markName = 'restore-unfinished';

const markSchema = z.object({
  /** Which restore it is of. */
  id: z.string(),
  /** The backup. */
  file: z.string(),
});
export type Mark = z.infer<typeof markSchema>;

/** A restore into the folder has not come to its end: it is at work, or was cut off. */
export class UnfinishedRestore extends Error {
  override readonly name = 'UnfinishedRestore';
  /** The backup, as far as it is known. */
  readonly file: string | undefined;

  constructor(data: string, file: string | undefined) {
    super(`The restore into ${data} isn't finished`);
    this.file = file;
  }
}

/** Throws `UnfinishedRestore`. Everything that opens a data folder asks this first. */
export function refuseUnfinishedRestore(data: string): void {
  if (existsSync(join(data, markName))) throw new UnfinishedRestore(data, readMark(data)?.file);
}

/** Undefined when there is none, and when it was cut off itself. */
export function readMark(data: string): Mark | undefined {
  try {
    return markSchema.safeParse(JSON.parse(readFileSync(join(data, markName), 'utf8'))).data;
  } catch {
    return undefined;
  }
}
