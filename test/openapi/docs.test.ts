/** The page of the documentation, made from a small interface: every kind of field, example and answer. */
import { expect, test } from 'vitest';
import { docsPage, homePage } from '../../src/openapi/docs.ts';

const id = '0195b7a0-0000-7000-8000-000000000001';
const idOfPath = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  example: id,
};
const query = (name: string, schema: object, more: object = {}) => ({
  name,
  in: 'query',
  description: `By its ${name}.`,
  schema,
  ...more,
});
const json = (schema: object, example?: string) => ({
  content: {
    'application/json': { schema, ...(example && { examples: { [example]: {} } }) },
  },
});

const document = {
  info: { title: 'Bikes', version: '1.2.3', summary: 'Bikes & `trailers`.' },
  tags: [
    { name: 'bikes, old', description: 'Bikes with a `plate`.' },
    { name: 'interface', description: 'What this is.' },
  ],
  paths: {
    '/bikes': {
      get: {
        operationId: 'bikes.list',
        tags: ['bikes, old'],
        summary: 'List bikes',
        description: 'List bikes.',
        parameters: [
          query('limit', { type: 'integer', minimum: 1, maximum: 200 }, { example: 50 }),
          query('name', { type: 'string', maxLength: 40 }, { required: true, example: 'a b' }),
          query(
            'state',
            { type: ['string', 'null'], enum: ['new', 'old', null] },
            { example: 'new' },
          ),
          query('ids', { type: 'array', maxItems: 3, items: { type: 'string', format: 'uuid' } }),
          query('tags', { type: 'array' }),
          query('since', { type: 'string', format: 'date-time' }),
          query('day', { type: 'string', format: 'date' }),
          query('size', { type: ['integer', 'string', 'null'] }),
          query('price', { type: 'number', minimum: 0 }),
          query('else', {}),
        ],
        responses: { 404: {}, 422: { 'x-codes': ['validation_failed'] }, 200: json({}, 'list') },
      },
      post: {
        operationId: 'bikes.create',
        tags: ['bikes, old'],
        summary: 'Add a bike',
        description: 'Add a bike. It has `two` wheels & a bell.',
        parameters: [],
        requestBody: json({ $ref: '#/components/schemas/Bike' }, 'bike'),
        responses: {
          201: json({}, 'bike'),
          404: { 'x-codes': ['not_found'] },
          422: { 'x-codes': ['validation_failed', 'bike_taken'] },
        },
      },
    },
    '/bikes/{id}/picture': {
      get: {
        operationId: 'bikes.picture',
        tags: ['bikes, old'],
        summary: 'Get its picture',
        description: 'Get its picture.',
        parameters: [idOfPath],
        responses: { 200: { content: { 'image/png': {} } } },
      },
    },
    '/bikes/{id}': {
      delete: {
        operationId: 'bikes.delete',
        tags: ['bikes, old'],
        summary: 'Delete a bike',
        description: 'Delete a bike.',
        parameters: [idOfPath],
        requestBody: json({ type: 'object' }),
        responses: { 200: json({}) },
      },
    },
    '/openapi.json': {
      get: {
        operationId: 'openapi.get',
        tags: ['interface'],
        summary: 'Get this',
        description: 'Get this.',
        parameters: [],
        responses: { 200: json({}) },
      },
    },
  },
  components: {
    schemas: {
      Bike: {
        properties: {
          name: { type: 'string', maxLength: 40, description: "Its rider's <name>." },
          sold: { type: 'boolean' },
        },
        required: ['name'],
      },
    },
    examples: {
      list: { value: { data: [], total: 0 } },
      bike: { value: { name: "Bob's" } },
    },
  },
};

test('the page of a small interface', () => {
  const page = docsPage({
    document,
    commands: { 'bikes.create': "cs bikes create --name 'Bob'" },
    style: 'b{}',
  });
  // Between them are texts that stand in the source as they are read.
  const [before, rest = ''] = page.split('<section id="first">');
  const [, resources] = rest.split(/(?=<section id="bikes-old">)/);
  expect(`${before}…\n${resources}`).toMatchSnapshot();
  const statuses = page.match(/(?<=<tr id="error-\w+"><td>)\d+/g) as string[];
  expect(statuses).toEqual(statuses.toSorted());
  expect(homePage('b{}')).toContain('<style>b{}</style>');
});
