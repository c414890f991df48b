/** The YAML of a facility: zones stand in their location, spots in their zone or location. */
import { isCollection, visit } from 'yaml';
import { byName } from '../../../facility/natural.ts';
import { isObject } from '../../input/plain-object.ts';
import type { Row } from '../../output/view.ts';
import { yamlDocument, yamlText } from '../../output/yaml.ts';
import { bodyIssues } from '../../resources/fields.ts';
import { operationFor } from '../../resources/operation.ts';
import { type Path, readPlanFile } from '../plan-file/yaml.ts';
import { type Item, itemOf, type Kind, ownFields, type Section, sectionNames } from './plan.ts';

type Lists = Readonly<Record<string, Kind>>;
const sectionLists: Lists = { locations: 'locations', templates: 'templates', forms: 'forms' };
const innerLists: Partial<Record<Kind, Lists>> = {
  locations: { zones: 'parkingZones', spots: 'parkingSpots' },
  parkingZones: { spots: 'parkingSpots' },
};
const anyId = '00000000-0000-4000-8000-000000000000';

/** The records of a file, each after the one that it belongs to. Exit 3 with the line of each problem. */
export function parseFacility(text: string, name: string) {
  const hint = '`cs facility export` shows how a file is written';
  const file = readPlanFile(text, { name, kind: 'the file of a facility', hint });
  const { content, lineOf, wrong } = file;
  const items: Item[] = [];
  const met = new Map<string, number>();

  function read(resource: Kind, value: unknown, path: Path, outer?: Item): void {
    const given = typeof value === 'string' ? { name: value } : value;
    if (!isObject(given)) return void wrong(path, 'must be a record, or a name in quotes');
    const lists = innerLists[resource] ?? {};
    const isOwn = new Set(ownFields(resource).map(([field]) => field));
    const fields: Row = outer ? { locationId: anyId } : {};
    for (const [field, content] of Object.entries(given))
      if (isOwn.has(field)) fields[field] = content;
      else if (!(field in lists)) wrong([...path, field], 'is unknown');
    const found = bodyIssues(operationFor(resource, 'create'), fields, new Set());
    for (const { path: at, message } of found)
      wrong(
        [...path, ...at.split('.')],
        message === 'must be text' ? `${message}: put it in quotes` : message,
      );
    const zone = outer?.resource === 'parkingZones' ? outer : undefined;
    const item = itemOf(resource, fields, { location: zone?.location ?? outer, zone });
    const before = met.get(item.key);
    if (before !== undefined && found.length === 0)
      wrong(path, `${item.title} is already on line ${before}`);
    met.set(item.key, before ?? lineOf(path));
    items.push(item);
    readLists(lists, given, path, item);
  }
  function readLists(lists: Lists, given: Row, path: Path, outer?: Item): void {
    for (const [list, resource] of Object.entries(lists)) {
      if (!(list in given)) continue;
      const value: unknown = given[list];
      if (!Array.isArray(value))
        // Nothing after the colon may be a slip, and with --prune it would remove all of them.
        wrong([...path, list], value === null ? 'must be a list: [] for none' : 'must be a list');
      else for (const [at, one] of value.entries()) read(resource, one, [...path, list, at], outer);
    }
  }

  const found = sectionNames.filter((section) => section in content);
  readLists(sectionLists, content, []);
  for (const section of Object.keys(content))
    if (!(section in sectionLists)) wrong([section], 'is unknown');
  if (found.length === 0) wrong([], `has none of ${sectionNames.join(', ')}`);
  file.check();
  return { sections: new Set(found), items };
}

export function contentOf(items: readonly Item[], wanted: ReadonlySet<Section>): Row {
  const rowsOf = (resource: Kind, outer?: Item): Row[] =>
    items
      .filter((item) => item.resource === resource && (item.zone ?? item.location) === outer)
      .sort((a, b) => byName(a.fields, b.fields))
      .map((item) => {
        const lists = Object.entries(innerLists[resource] ?? {})
          .map(([list, below]) => [list, rowsOf(below, item)] as const)
          .filter(([, rows]) => rows.length > 0);
        return { name: item.fields.name, ...item.fields, ...Object.fromEntries(lists) };
      });
  const held = sectionNames.filter((section) => wanted.has(section));
  return Object.fromEntries(held.map((section) => [section, rowsOf(section)]));
}

/** A spot takes one line. */
export function facilityText(content: Row): string {
  const document = yamlDocument(content);
  document.commentBefore =
    ' `cs facility plan FILE` compares it with a server, `cs facility apply FILE` stores it.';
  visit(document, {
    Pair(_, { key, value }) {
      if (String(key) === 'spots' && isCollection(value))
        for (const spot of value.items) if (isCollection(spot)) spot.flow = true;
    },
  });
  return yamlText(document);
}
