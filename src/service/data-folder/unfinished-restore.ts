/** A restore puts a mark into its folder first and removes it last, so that a partial restore is never used. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { restoreMarkName } from './names.ts';

/** A restore into the folder is running or was interrupted. */
export class UnfinishedRestore extends Error {
  override readonly name = 'UnfinishedRestore';
  /** The backup; undefined if writing the mark was interrupted. */
  readonly backup: string | undefined;

  constructor(data: string) {
    super(`The restore into ${data} isn't finished`);
    this.backup = readFileSync(join(data, restoreMarkName), 'utf8').split('\n')[1];
  }
}

/** What a mark contains: the path of the backup between two line ends. */
export const markOf = (backup: string): string => `\n${backup}\n`;

/** Throws `UnfinishedRestore`. Called before a data folder is opened. */
export function refuseUnfinishedRestore(data: string): void {
  if (existsSync(join(data, restoreMarkName))) throw new UnfinishedRestore(data);
}
