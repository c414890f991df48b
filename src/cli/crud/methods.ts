/** The client seen as what all resources have in common, for code that is derived from the contract. */
import type { Client } from '../../client/client.ts';
import type { ResourceName } from '../../contract/contract.ts';
import type { Row } from '../output/view.ts';

interface Page {
  readonly data: Row[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

/** Ids of the parents come first, outermost first; then the record's own id; then query or body; then options of the call. */
export interface Methods {
  list(...args: unknown[]): Promise<Page>;
  all(...args: unknown[]): AsyncIterable<Row> & { pages(): AsyncIterable<Row[]> };
  get(...args: unknown[]): Promise<Row>;
  create(...args: unknown[]): Promise<Row>;
  update(...args: unknown[]): Promise<Row>;
  delete(...args: unknown[]): Promise<Row>;
}

/** Every record of a list, in memory. */
export async function gather<T>(records: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
}

/** How many ids a list takes at once, which is also its longest page. */
export const idsAtOnce = 200;

/** Part of the query of a list. */
export interface IdsQuery {
  readonly ids: string[];
  readonly limit: number;
}

/** The records that ids name, those that there are, with as many requests as it takes. */
export async function* readByIds<T>(
  given: Iterable<string>,
  read: (query: IdsQuery) => Promise<{ readonly data: readonly T[] }>,
): AsyncGenerator<T> {
  const ids = [...given];
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    const { data } = await read({ ids: ids.slice(start, start + idsAtOnce), limit: idsAtOnce });
    yield* data;
  }
}

/** The one cast of this face: the client's own types name each resource, derived commands name none. */
export const methodsOf = (client: Client, resource: ResourceName): Methods => client[resource] as unknown as Methods;
