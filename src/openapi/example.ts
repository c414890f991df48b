/** Examples, derived from the contract: the same in each run, and valid for their schemas. */
import { z } from 'zod';
import { withArticle } from '../contract/article.ts';
import type { Resource } from '../contract/resource.ts';
import { storedFieldsOf } from '../contract/schemas.ts';

/** Familiar values for some fields. Other fields have derived examples. */
const familiar: Readonly<Record<string, unknown>> = {
  year: 1973,
  make: 'Porsche',
  model: '911 Carrera',
  vin: 'WP0ZZZ91ZTS392124',
  licensePlate: 'B-CS 911H',
  color: 'Grand Prix white',
  firstName: 'Ada',
  lastName: 'Lovelace',
  companyName: 'Lovelace & Daughters',
  city: 'Berlin',
  country: 'Germany',
  postalCode: '10115',
  line1: 'Invalidenstrasse 1',
  activityType: 'drop_off',
  filename: 'front.jpg',
  base64: '/9j/4AAQSkZJRg==',
  url: '/api/v1/…/content',
  sizeBytes: 184_320,
  name: 'North hall',
  slug: 'garage-nord',
  value: 'drop_off',
  timezone: 'Europe/Berlin',
  phone: '+49 30 1234567',
  title: 'Interior cleaning',
  notes: 'The key is in the office.',
  startAt: '2026-11-20T09:00:00.000Z',
  endAt: '2026-11-20T10:00:00.000Z',
};

const time = '2026-11-20T08:00:00.000Z';

/** Tried in turn where no familiar value is valid: one for each kind of text. */
const candidates = (name: string): unknown[] => [
  words(name),
  idOf(name),
  time,
  '2026-11-20',
  'ada@example.com',
  'https://example.com/front.jpg',
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  '0123456789abcdef'.repeat(4),
  'A1',
  1,
  2026,
  true,
  [],
  {},
  null,
];

/** A valid value. `name` is the name of the field; for an id, the referenced resource. */
export function exampleOf(schema: z.ZodType, name: string): unknown {
  const known = schema.safeParse(familiar[name]);
  if (familiar[name] !== undefined && known.success) return known.data;
  if (
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault
  )
    return exampleOf(schema.unwrap() as z.ZodType, name);
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodGUID) return idOf(name);
  if (schema instanceof z.ZodObject) {
    return Object.fromEntries(
      Object.entries(schema.shape).map(([inner, of]) => [inner, exampleOf(of as z.ZodType, inner)]),
    );
  }
  if (schema instanceof z.ZodArray) {
    const one = [exampleOf(schema.element as z.ZodType, name)];
    if (schema.safeParse(one).success) return one;
  }
  for (const candidate of candidates(name)) {
    const result = schema.safeParse(candidate);
    if (result.success) return result.data;
  }
  throw new Error(
    `No example for the field ${name}; add a familiar value or a candidate to src/openapi/example.ts`,
  );
}

/** All examples of a resource's requests and answers, by name. */
export function examplesOf(
  resource: Resource,
  title: string,
): [string, { summary: string; value: unknown }][] {
  const { singular, plural, operations, name } = resource;
  const record = recordExample(resource);
  const known: [string, string, unknown, boolean][] = [
    [
      title,
      sentence(withArticle(singular)),
      { data: record },
      Boolean(operations.get ?? operations.create ?? operations.update),
    ],
    [
      `${title}Page`,
      `A page of ${plural}.`,
      { data: [record], page: 1, limit: 50, total: 1 },
      Boolean(operations.list),
    ],
    [
      `${title}Create`,
      `What makes ${withArticle(singular)}.`,
      createExample(resource),
      Boolean(operations.create),
    ],
    [
      `${title}Update`,
      `What changes ${withArticle(singular)}.`,
      updateExample(resource),
      Boolean(operations.update),
    ],
    [
      `${title}Deleted`,
      'It is gone.',
      { data: { id: idOf(name), deleted: true } },
      Boolean(operations.delete),
    ],
  ];
  return known.flatMap(([key, summary, value, used]) => (used ? [[key, { summary, value }]] : []));
}

/** A new record: values that the service sets later are empty, and one of its references is set. */
function recordExample(resource: Resource): Record<string, unknown> {
  let named = false;
  const own = Object.entries(resource.fields)
    .filter(([, field]) => field.read)
    .map(([name, { schema, create, references, initial }]) => {
      if (initial !== undefined) return [name, initial];
      const nullable = schema.safeParse(null).success;
      if (nullable && (create === 'never' || (references && named))) return [name, null];
      if (nullable && references) named = true;
      return [name, exampleOf(schema, references ?? name)];
    });
  const stored = Object.entries(storedFieldsOf(resource)).map(([name, { schema }]) => [
    name,
    exampleOf(schema, name === 'id' ? resource.name : name),
  ]);
  return Object.fromEntries([...stored, ...own]);
}

/** The required fields of a create, and the first optional one; bytes come from a URL. */
function createExample({ fields }: Resource): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, { create }]) => create !== 'never');
  const required = given.filter(([, { create }]) => create === 'required');
  const optional = given
    .filter(([, { create, read }]) => create === 'optional' && read)
    .slice(0, 1);
  const sent = given.filter(([, { read }]) => !read).slice(0, 1);
  return bodyOf([...required, ...optional, ...sent]);
}

/** A PATCH that changes one field. */
function updateExample({ fields }: Resource): Record<string, unknown> {
  return bodyOf(
    Object.entries(fields)
      .filter(([, { update }]) => update)
      .slice(0, 1),
  );
}

const bodyOf = (fields: [string, Resource['fields'][string]][]) =>
  Object.fromEntries(
    fields.map(([name, { schema, references }]) => [name, exampleOf(schema, references ?? name)]),
  );

/** A uuid for a name, always the same. */
function idOf(name: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(name))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return `019aa0a3-4d00-7000-8000-${hash.toString(16).padStart(16, '0').slice(0, 12)}`;
}

const sentence = (words: string) => `${words.replace(/^./, (letter) => letter.toUpperCase())}.`;

/** `firstName` → `First name`. */
const words = (name: string) =>
  name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase());
