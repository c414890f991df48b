/** Ids as text, in any spelling. */

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isUuid = (text: string): boolean => uuid.test(text);

/** Equal for spellings of the same id: upper and lower case are the same in a UUID alone. */
export const idKey = (id: unknown) => (isUuid(String(id)) ? String(id).toLowerCase() : String(id));
export const isSameId = (a: unknown, b: unknown): boolean => idKey(a) === idKey(b);

/** Values by id, for ids that come from several lists: a server may spell the same UUID differently in each. */
export class IdMap<T> extends Map<string, T> {
  override get(id: string | null | undefined): T | undefined {
    return super.get(idKey(id));
  }

  override has(id: string | null | undefined): boolean {
    return super.has(idKey(id));
  }

  override set(id: string, value: T): this {
    return super.set(idKey(id), value);
  }
}

export class IdSet extends Set<string> {
  override has(id: string): boolean {
    return super.has(idKey(id));
  }

  override add(id: string): this {
    return super.add(idKey(id));
  }
}

/** The records by their ids. */
export const byId = <T extends { readonly id: string }>(records: Iterable<T>): IdMap<T> =>
  new IdMap(Array.from(records, (record): [string, T] => [record.id, record]));

/** Whether a field names a record of this server. An `externalId` is text of another system, where leading zeros count. */
export const isIdField = (name: string) =>
  name === 'id' || (/Ids?$/.test(name) && name !== 'externalId');
