/** `--map FIELD=COLUMN`: columns of a file with names of their own. */
import type { Resource } from '../../../contract/resource.ts';
import { CliError, usage } from '../../errors/exit.ts';
import type { Row } from '../../output/view.ts';
import { quote } from '../../terminal/text.ts';
import { fieldPaths, setPath, suggestion } from './columns.ts';

/** The fields of each column. */
export type ColumnMap = ReadonlyMap<string, readonly string[]>;

export function parseMap(resource: Resource, given: readonly string[]): ColumnMap {
  const known = fieldPaths(resource);
  const map = new Map<string, string[]>();
  for (const text of given) {
    const at = text.indexOf('=');
    const [field, column] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()];
    if (field === '' || column === '')
      throw usage(`Invalid --map "${text}".`, 'write it like lastName=Surname');
    if (!known.includes(field))
      throw usage(
        `--map: ${field} isn't a field of ${resource.plural}${suggestion(field, known)}.`,
        known.includes(column)
          ? `the field comes first: --map ${quote(`${column}=${field}`)}`
          : `\`cs schema ${resource.name} create\` shows the fields`,
      );
    if ([...map.values()].flat().includes(field))
      throw usage(`--map names ${field} twice.`, 'map each field once');
    map.set(column, [...(map.get(column) ?? []), field]);
  }
  return map;
}

/** The fields that the columns of a file fill. Exit 3 for a mapped column that the file lacks, and for a field with two columns. */
export function mapColumns(map: ColumnMap, names: readonly string[]): string[] {
  const absent = [...map.keys()].filter((column) => !names.includes(column));
  const fields = names.flatMap((name) => map.get(name) ?? [name]);
  const twice = fields.filter((field, index) => fields.indexOf(field) !== index);
  const issues = [
    ...absent.map((path) => ({ path, rule: 'absent', message: "isn't a column of the file" })),
    ...twice.map((path) => ({ path, rule: 'twice', message: 'is filled by two columns' })),
  ];
  if (issues.length > 0)
    throw new CliError({
      code: 'invalid_file',
      message: "The columns of the file don't fit --map; nothing was sent.",
      hint: absent.some((column) => /,\s*[\w.]+=/.test(column))
        ? 'repeat --map for each field: --map year=Year --map make=Make'
        : `the file has ${names.join(', ')}`,
      details: { issues },
    });
  return fields;
}

/** `nested`: a field such as `address.city` becomes an object, as in JSON. */
export function mapRow(map: ColumnMap, value: Row, { nested }: { nested: boolean }): Row {
  if (map.size === 0) return value;
  const mapped: Row = {};
  for (const [name, cell] of Object.entries(value)) {
    for (const field of map.get(name) ?? [name])
      setPath(mapped, nested && map.has(name) ? field.split('.') : [field], cell);
  }
  return mapped;
}
