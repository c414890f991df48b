/** Compares the number of records in a mirror with the server's. */
import type { Client, SyncName } from '../../../client/client.ts';
import { methodsOf } from '../../resources/methods.ts';

export interface CountDifference {
  /** How many more the mirror has: deleted on the server. Only a full run finds out which. */
  readonly gone: number;
  /** How many more the server has: newer than the run, or without a time of change. */
  readonly missing: number;
}

/** Undefined where the server doesn't count. */
export async function countOnServer(client: Client, name: SyncName): Promise<number | undefined> {
  return (await methodsOf(client, name).list({ limit: 1 })).total;
}

/** No difference where the server wasn't asked, or doesn't count. */
export const compareCounts = (records: number, onServer = records): CountDifference => ({
  gone: Math.max(0, records - onServer),
  missing: Math.max(0, onServer - records),
});
