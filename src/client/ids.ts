/**
 * Ids as numbers. In the specification an id is a string; a server that counts its records sends numbers. The client speaks of ids as
 * strings everywhere, and gives such a server its numbers back.
 */

type Row = Record<string, unknown>;

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

  override delete(id: string): boolean {
    return super.delete(idKey(id));
  }
}

/** The records by their ids. */
export const byId = <T extends { readonly id: string }>(records: Iterable<T>): IdMap<T> =>
  new IdMap(Array.from(records, (record): [string, T] => [record.id, record]));

/** Whether a field names a record of this server. An `externalId` is text of another system, where leading zeros count. */
export const isIdField = (name: string) =>
  name === 'id' || (/Ids?$/.test(name) && name !== 'externalId');

/** A record of a server whose ids are numbers: its own id, and the ids of other records in it, as strings. */
export const withTextIds = (record: Row): Row =>
  mapIds(record, (id) => (typeof id === 'number' ? String(id) : id));

/** A body for a server whose ids are numbers. Those that a number can't hold are bigints. */
export const withNumberIds = (body: unknown): unknown =>
  isRow(body) ? mapIds(body, numberOf) : body;

/** Other texts, such as 007, aren't the id of a server that sends numbers. */
function numberOf(id: unknown): unknown {
  if (typeof id !== 'string' || !/^(0|-?[1-9]\d*)$/.test(id)) return id;
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : BigInt(id);
}

function mapIds(record: Row, convert: (id: unknown) => unknown): Row {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      if (!isIdField(name)) return [name, value];
      return [name, Array.isArray(value) ? value.map(convert) : convert(value)];
    }),
  );
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
