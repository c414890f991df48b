import { describe } from 'vitest';
import { questionTypes } from '../../../src/contract/forms.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import { issues, made, ok, type Row, refused, row, shows, testTable } from '../../helpers/table.ts';

const service = await testService();
const make = facility(service);

const question = (key: string, type = 'text', more: object = {}) => ({
  key,
  label: key,
  type,
  ...more,
});
const stored = (key: string, type = 'text', more: object = {}) => ({
  key,
  label: key,
  type,
  required: false,
  options: [],
  ...more,
});

describe('forms', async () => {
  const tour = await make.add('/marketing/forms', {
    name: 'Tour',
    slug: 'tour',
    fields: [question('note')],
  });
  const create = row('POST', '/marketing/forms');
  const change = row('PATCH', `/marketing/forms/${tour.id}`);
  const asks = (...fields: unknown[]) => ({ name: 'A', fields });
  const refuses = (name: string, fields: unknown[], found: Record<string, string>) =>
    create(name, asks(...fields), issues(found));
  testTable(service, [
    create(
      'defaults; the slug is made from the name',
      { name: 'Führung & Café' },
      made({
        name: 'Führung & Café',
        slug: 'fuhrung-cafe',
        description: null,
        status: 'draft',
        fields: [],
        submissionCount: 0,
      }),
    ),
    create(
      'a name of which a slug was made before',
      { name: 'FÜHRUNG  Café!' },
      made({ slug: 'fuhrung-cafe-2' }),
    ),
    create('and again', { name: 'Führung Café' }, made({ slug: 'fuhrung-cafe-3' })),
    create('a name without letters for a slug', { name: '車' }, made({ slug: 'form' })),
    create('a long name', { name: `${'a'.repeat(55)} bcd` }, made({ slug: 'a'.repeat(55) })),
    create(
      'published without fields',
      { name: 'B', status: 'published' },
      issues({ fields: 'too_small' }),
    ),

    ...questionTypes.map((type) => {
      const options = type.endsWith('select') ? ['a', 'b'] : [];
      return create(
        `asks for ${type}`,
        asks(question('a', type, { options })),
        made({ fields: [stored('a', type, { options })] }),
      );
    }),
    refuses('fields that are wrong', [{ key: 'A B', label: '', type: 'colour', hint: 'x' }, 1], {
      'fields.0.key': 'invalid_format',
      'fields.0.label': 'too_small',
      'fields.0.type': 'invalid_value',
      'fields.0.hint': 'unknown',
      'fields.1': 'invalid_type',
    }),
    refuses(
      'fields that cannot be told apart or answered',
      [
        question('a', 'select'),
        question('a', 'multiselect', { options: [] }),
        question('b', 'text', { options: ['x'] }),
        question('c', 'select', { options: ['x', 'y', 'x'] }),
      ],
      {
        'fields.0.options': 'required',
        'fields.1.key': 'duplicate',
        'fields.1.options': 'required',
        'fields.2.options': 'not_allowed',
        'fields.3.options': 'duplicate',
      },
    ),
    change(
      'draft to published, without fields',
      { status: 'published', fields: [] },
      issues({ fields: 'too_small' }),
    ),
    change('draft to published', { status: 'published' }, ok({ status: 'published' })),
    change(
      'the fields of a published form',
      { fields: [question('a', 'select')] },
      issues({ 'fields.0.options': 'required' }),
    ),
    change('its last field away', { fields: [] }, issues({ fields: 'too_small' })),
    change('published to closed', { status: 'closed' }, ok({ status: 'closed' })),
    change('a closed form may ask nothing', { fields: [] }, ok({ fields: [] })),
    change(
      'closed to published',
      { status: 'published', fields: [question('a')] },
      ok({ status: 'published' }),
    ),
    change('to another slug', { slug: 'visit' }, ok({ slug: 'visit' })),
  ]);
});

describe('answers', async () => {
  const options = ['red', 'blue'];
  const optional = [
    ...(['text', 'textarea', 'email', 'phone', 'number', 'date', 'checkbox'] as const).map((type) =>
      question(type, type),
    ),
    question('select', 'select', { options }),
    question('multiselect', 'multiselect', { options }),
    // Names that objects have from birth.
    question('constructor'),
  ];
  const free = await make.add('/marketing/forms', {
    name: 'Free',
    status: 'published',
    fields: optional,
  });
  const needed = await make.add('/marketing/forms', {
    name: 'Needed',
    status: 'published',
    fields: optional.map((field) => ({ ...field, required: true })),
  });
  const empty = Object.fromEntries(optional.map(({ key }) => [key, null]));
  const full = {
    text: 'a',
    textarea: 'a\nb',
    email: 'ada@example.com',
    phone: '+49 30 1',
    number: -1.5,
    date: '2028-02-29',
    checkbox: true,
    select: 'red',
    multiselect: ['blue', 'red'],
    constructor: 'Porsche',
  };
  const each = (rule: string) =>
    Object.fromEntries(optional.map(({ key }) => [`data.${key}`, rule]));
  const submit = (name: string, data: unknown, expect: Row['expect'], form = free): Row =>
    row('POST', `/marketing/forms/${form.id}/submissions`)(name, { data }, expect);
  testTable(service, [
    submit('nothing answered', {}, made({ data: empty })),
    submit(
      'nothing answered, as web forms say it',
      Object.fromEntries(optional.map(({ key }) => [key, ''])),
      made({ data: empty }),
    ),
    submit('everything answered', full, made({ data: full })),
    submit(
      'no box ticked, nothing chosen',
      { checkbox: false, multiselect: [] },
      made({ data: { ...empty, checkbox: false, multiselect: [] } }),
    ),
    submit('everything needed and answered', full, made({ data: full }), needed),
    submit('everything needed and missing', {}, issues(each('required')), needed),
    submit('everything needed and empty', { ...empty, text: '' }, issues(each('required')), needed),
    submit(
      'a box that must be ticked, something to be chosen',
      { ...full, checkbox: false, multiselect: [] },
      issues({ 'data.checkbox': 'invalid_value', 'data.multiselect': 'too_small' }),
      needed,
    ),
    submit(
      'wrong types',
      {
        text: 1,
        textarea: true,
        email: [],
        phone: 1,
        number: '1',
        date: 1,
        checkbox: 'true',
        select: 1,
        multiselect: {},
        constructor: {},
      },
      issues({ ...each('invalid_type'), 'data.select': 'invalid_value' }),
    ),
    submit(
      'wrong values',
      {
        text: 'a'.repeat(1_001),
        textarea: 'a'.repeat(10_001),
        email: 'ada',
        phone: '1'.repeat(33),
        date: '2026-02-30',
        select: 'Red',
        multiselect: ['red', 'green'],
        constructor: ' ',
      },
      issues({
        'data.text': 'too_big',
        'data.textarea': 'too_big',
        'data.email': 'invalid_format',
        'data.phone': 'too_big',
        'data.date': 'invalid_format',
        'data.select': 'invalid_value',
        'data.multiselect.1': 'invalid_value',
        'data.constructor': 'too_small',
      }),
    ),
    submit(
      'more chosen than there is',
      { multiselect: ['red', 'blue', 'red'] },
      issues({ 'data.multiselect': 'too_big' }),
    ),
    submit(
      'text that cannot be kept',
      { text: '\0', textarea: '\ud800' },
      issues({ 'data.text': 'invalid_format', 'data.textarea': 'invalid_format' }),
    ),
    {
      ...submit(
        'a number too large to be one',
        undefined,
        issues({ 'data.number': 'invalid_type' }),
      ),
      body: '{"data":{"number":1e400}}',
    },
    submit(
      'what was not asked',
      { toString: 'a', other: null, '': 1 },
      issues({ 'data.toString': 'unknown', 'data.other': 'unknown', 'data.': 'unknown' }),
    ),
    submit(
      'a key that parsers drop',
      JSON.parse('{"__proto__":{"text":"a"}}'),
      issues({ 'data.__proto__': 'unknown' }),
    ),
    submit('answers that are none', [], issues({ data: 'invalid_type' })),
  ]);
});

describe('submissions', async () => {
  // A form is closed here, which the list above would show.
  const here = await service.newTeam();
  const make = facility(here);
  const form = await make.add('/marketing/forms', {
    name: 'Waiting list',
    status: 'published',
    fields: [question('car')],
  });
  const draft = await make.add('/marketing/forms', { name: 'Draft', fields: [question('car')] });
  const path = `/marketing/forms/${form.id}/submissions`;
  const customer = await make.customer();
  const contact = await make.add('/contacts', { firstName: 'Ada', lastName: 'L' });
  const first = await make.add(path, { data: { car: '911' }, externalId: 'web-1' });
  const other = await make.add('/marketing/forms', {
    name: 'Other',
    status: 'published',
    fields: [question('car')],
  });
  const create = row('POST', path);
  const change = row('PATCH', `${path}/${first.id}`);
  testTable(here, [
    shows('the form counts them', `/marketing/forms/${form.id}`, { submissionCount: 1 }),
    create(
      'of a customer and a contact',
      {
        data: { car: '993' },
        customerId: customer.id,
        contactId: contact.id,
        status: 'archived',
        externalId: 'web-2',
      },
      made({
        customerId: customer.id,
        contactId: contact.id,
        status: 'archived',
        externalId: 'web-2',
      }),
    ),
    create(
      'the same external id again: what is there',
      { data: { car: '356' }, externalId: 'web-1' },
      ok(first),
    ),
    row('POST', `/marketing/forms/${other.id}/submissions`)(
      'the same external id on another form',
      { data: {}, externalId: 'web-1' },
      made(),
    ),
    shows('what was there is not counted twice', `/marketing/forms/${form.id}`, {
      submissionCount: 2,
    }),
    row('POST', `/marketing/forms/${draft.id}/submissions`)(
      'a draft',
      { data: {} },
      refused('form_closed', { formId: draft.id, status: 'draft' }),
    ),

    row('PATCH', `/marketing/forms/${form.id}`)(
      'the form asks for something else',
      { fields: [question('plate')] },
      ok(),
    ),
    shows('what was answered stays', `${path}/${first.id}`, { data: { car: '911' } }),
    create('the old answer', { data: { car: '911' } }, issues({ 'data.car': 'unknown' })),
    create('the new one', { data: { plate: 'B-AB 1' } }, made({ data: { plate: 'B-AB 1' } })),

    row('PATCH', `/marketing/forms/${form.id}`)('the form is closed', { status: 'closed' }, ok()),
    create('a closed form', { data: {} }, refused('form_closed', { status: 'closed' })),
    create('a closed form, what is there', { data: {}, externalId: 'web-2' }, ok()),
    change('a submission of a closed form', { status: 'archived' }, ok({ status: 'archived' })),

    row('DELETE', `/contacts/${contact.id}`)('the contact is removed', undefined, ok()),
    shows('the submission names nobody', `${path}/${first.id}`, { contactId: null }),
  ]);
});
