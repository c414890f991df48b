/**
 * Ids as numbers. In the specification an id is a string; a server that counts its records sends numbers. The client speaks of ids as
 * strings everywhere, and gives such a server its numbers back.
 */

type Row = Record<string, unknown>;

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Equal for spellings of the same id: upper and lower case are the same in a UUID alone. */
export const idKey = (id: unknown) => (uuid.test(String(id)) ? String(id).toLowerCase() : String(id));
export const isSameId = (a: unknown, b: unknown): boolean => idKey(a) === idKey(b);

/** Whether a field names a record of this server. An `externalId` is text of another system, where leading zeros count. */
export const isIdField = (name: string) => name === 'id' || (/Ids?$/.test(name) && name !== 'externalId');

/** A record with its own id, and the ids of other records in it, as strings. */
export function withTextIds(record: Row): Row {
  if (typeof record.id !== 'number') return record;
  return mapIds(record, (id) => (typeof id === 'number' ? String(id) : id));
}

/** A body for a server whose ids are numbers. */
export const withNumberIds = (body: unknown): unknown =>
  isRow(body) ? mapIds(body, (id) => (typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id)) : body;

function mapIds(record: Row, convert: (id: unknown) => unknown): Row {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      if (!isIdField(name)) return [name, value];
      return [name, Array.isArray(value) ? value.map(convert) : convert(value)];
    }),
  );
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
