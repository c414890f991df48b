/** Every record of a resource, also of one that lies below others: then through each of those. */
import { type Client, type SyncName, sync } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { methodsOf } from '../../crud/methods.ts';
import type { Row } from '../../output/view.ts';
import { resourceOf } from '../bulk/resources.ts';

interface Found {
  /** Ids of the records above, outermost first. */
  readonly within: readonly string[];
  readonly records: readonly Row[];
}

/** `began` is told from when on changes may be missing, as far as that can be known. */
export async function* readEverything(
  client: Client,
  name: SyncName,
  began: (since: string | undefined) => void = () => {},
): AsyncGenerator<Found, void> {
  const { parent } = resourceOf(name);
  if (!parent) {
    const everything = sync(client, name);
    for await (const records of everything.pages()) yield { within: [], records };
    began(everything.next);
    return;
  }
  // A parent is a resource that can be listed, or what lies below it could not be found.
  for await (const { within, records } of readEverything(client, parent.resource as SyncName, began)) {
    for (const { id } of records) {
      for await (const below of pagesBelow(client, name, [...within, id])) yield { within: [...within, id], records: below };
    }
  }
}

async function* pagesBelow(client: Client, name: SyncName, within: readonly string[]): AsyncGenerator<readonly Row[], void> {
  try {
    yield* sync(client, name, { within }).pages() as AsyncGenerator<Row[], void>;
  } catch (error) {
    // Deleted since it was listed, and what lay below it went with it. A server that does not have the list is another matter.
    if (!isMissing(error) || (await isThere(client, resourceOf(name).parent?.resource as SyncName, within))) throw error;
  }
}

async function isThere(client: Client, name: SyncName, ids: readonly string[]): Promise<boolean> {
  try {
    await methodsOf(client, name).get(...ids);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
