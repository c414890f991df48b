/** Fields that records don't contain, but show in another field: the type of an appointment, sent by its id or its value. */
import type { Client } from '../../client/client.ts';
import { isEmpty } from '../../client/compare.ts';
import { IdMap, isSameId } from '../../client/ids.ts';
import type { ResourceName } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import type { Row } from '../output/view.ts';
import { gather, methodsOf } from '../resources/methods.ts';

interface Shown {
  /** `"appointmentTypeId" names "pick_up", not "drop_off"`. */
  readonly wrong?: string;
  /** The fields that the record doesn't tell of: on this server the other field may name something else. */
  readonly untold: readonly string[];
}

interface Written {
  readonly sent: Readonly<Record<string, unknown>>;
  readonly record: Readonly<Record<string, unknown>>;
}

export async function checkShownElsewhere(
  client: Client,
  { fields }: Resource,
  { sent, record }: Written,
): Promise<Shown> {
  const untold: string[] = [];
  for (const [name, wanted] of Object.entries(sent)) {
    const shownIn = fields[name]?.shownIn;
    if (!shownIn || wanted === undefined) continue;
    const id = record[shownIn.field];
    if (shownIn.by === undefined && isSameId(id, wanted)) continue;
    const named = isEmpty(id)
      ? undefined
      : (await referenced(client, shownIn.references as ResourceName))?.get(String(id));
    const value = named?.[shownIn.by ?? 'id'];
    if (value === undefined) untold.push(name);
    else if (!isSameId(value, wanted))
      return {
        wrong: `"${shownIn.field}" names ${JSON.stringify(value)}, not ${JSON.stringify(wanted)}`,
        untold,
      };
  }
  return { untold };
}

/** Read once for each server, since an import asks for every row. */
const lists = new WeakMap<Client, Map<ResourceName, Promise<IdMap<Row> | undefined>>>();

/** Undefined where the list can't be read. */
function referenced(client: Client, name: ResourceName): Promise<IdMap<Row> | undefined> {
  const known = lists.get(client) ?? new Map<ResourceName, Promise<IdMap<Row> | undefined>>();
  lists.set(client, known);
  const reading =
    known.get(name) ??
    gather(methodsOf(client, name).all()).then(
      (rows) => new IdMap(rows.map((row): [string, Row] => [String(row.id), row])),
      () => undefined,
    );
  known.set(name, reading);
  return reading;
}
