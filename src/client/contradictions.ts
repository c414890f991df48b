/**
 * Whether the answer to a write shows that it wasn't carried out as it was sent: a server can answer 200 and leave out a field that it
 * doesn't know. Texts, numbers and times aren't compared, since servers may write them in another way.
 */
import type { Resource } from '../contract/resource.ts';
import { choicesOf } from '../contract/schemas.ts';
import { isIdField, isSameId } from './ids.ts';

type Row = Readonly<Record<string, unknown>>;

interface Write {
  readonly method: string;
  readonly resource: Resource;
  readonly sent: Row;
}

/** `"status" is "scheduled", not "cancelled"` */
export function contradictionOf({ method, resource, sent }: Write, record: Row): string | undefined {
  const wrong = Object.keys(sent).find((name) => {
    const field = resource.fields[name];
    const isStated = field?.source === 'specification';
    const [wanted, found] = [sent[name], record[name]];
    if (wanted === undefined || found === undefined) return false;
    // Beyond the specification null may mean that the server doesn't tell.
    if (found === null && !isStated) return false;
    if (isIdField(name)) return !Array.isArray(wanted) && !Array.isArray(found) && !isSameId(wanted, found);
    // A server may decide on the state of a new record.
    if (method !== 'PATCH') return false;
    if (typeof wanted === 'boolean') return !booleanTexts[String(wanted)]?.includes(String(found).toLowerCase());
    return isStated && choicesOf(field.schema) !== undefined && fold(wanted) !== fold(found);
  });
  return wrong && `"${wrong}" is ${JSON.stringify(record[wrong])}, not ${JSON.stringify(sent[wrong])}`;
}

const booleanTexts: Readonly<Record<string, readonly string[]>> = { true: ['true', '1'], false: ['false', '0'] };
const fold = (value: unknown) =>
  String(value)
    .toLowerCase()
    .replace(/[\s_-]/g, '');
