/** The record that an earlier run stored for a row without an answer: one with everything that was sent, made since then. */
import type { Client, SyncName } from '../../../client/client.ts';
import type { IdSet } from '../../../client/ids.ts';
import { allOf, type Known } from '../../input/three-valued.ts';
import type { Row } from '../../output/view.ts';
import { methodsOf } from '../../resources/methods.ts';
import { resourceOf } from '../bulk/resources.ts';
import { serverClocksDifferMs } from '../connection/server-clock.ts';
import { type Found, findMatch, hasValues, isTime } from './find-match.ts';

interface Wanted {
  readonly name: SyncName;
  /** Ids of the parents, outermost first. */
  readonly parents: readonly string[];
  readonly body: Row;
  /** When it was sent, by the server's clock. */
  readonly since: string;
  /** Records of other rows. */
  readonly taken: IdSet;
}

export function findStored(
  client: Client,
  { name, parents, body, since, taken }: Wanted,
): Promise<Found<Row>> {
  const from = new Date(Date.parse(since) - serverClocksDifferMs).toISOString();
  const { fields } = resourceOf(name);
  const readable = Object.fromEntries(
    Object.entries(body).filter(([field]) => fields[field]?.read),
  );
  return findMatch<Row>(
    () => methodsOf(client, name).all(...parents, { updatedAfter: from }),
    (record) =>
      typeof record.id === 'string' &&
      !taken.has(record.id) &&
      allOf([hasValues(record, readable), isSince(record.createdAt, from)]),
  );
}

const isSince = (time: unknown, from: string): Known =>
  isTime(time) ? Date.parse(time) >= Date.parse(from) : undefined;
