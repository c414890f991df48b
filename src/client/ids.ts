/**
 * Ids as numbers. In the specification an id is a string; a server that counts its records sends numbers. The client speaks of ids as
 * strings everywhere, and gives such a server its numbers back.
 */

type Row = Record<string, unknown>;

/** An `externalId` is text of another system, where leading zeros count. */
const isIdField = (name: string) => name === 'id' || (/Ids?$/.test(name) && name !== 'externalId');

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
