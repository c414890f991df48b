/** The client's methods for any resource, for code derived from the contract. */
import type { Client } from '../../client/client.ts';
import type { ResourceName } from '../../contract/contract.ts';
import type { Row } from '../output/view.ts';

interface Page {
  readonly data: Row[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

/**
 * Arguments: ids of the parents (outermost first), the record's id, query or body, options of the
 * call.
 */
export interface Methods {
  list(...args: unknown[]): Promise<Page>;
  all(...args: unknown[]): AsyncIterable<Row> & { pages(): AsyncIterable<Row[]> };
  get(...args: unknown[]): Promise<Row>;
  create(...args: unknown[]): Promise<Row>;
  update(...args: unknown[]): Promise<Row>;
  delete(...args: unknown[]): Promise<Row>;
}

/** Reads a whole list into memory. */
export async function gather<T>(records: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
}

/** The most ids in one list request. */
export const idsAtOnce = 200;

/** Part of the query of a list. */
export interface IdsQuery {
  readonly ids: string[];
}

/** Yields the records with these ids, read in as many lists as needed; unknown ids are left out. */
export async function* readByIds<T>(
  given: Iterable<string>,
  read: (query: IdsQuery) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const ids = [...given];
  for (let start = 0; start < ids.length; start += idsAtOnce)
    yield* read({ ids: ids.slice(start, start + idsAtOnce) });
}

/**
 * The one cast of derived commands: the client's types name each resource, these commands name
 * none.
 */
export const methodsOf = (client: Client, resource: ResourceName): Methods =>
  client[resource] as unknown as Methods;
