import { z } from 'zod';
import {
  createOnly,
  defaulted,
  equals,
  immutable,
  optional,
  readOnly,
  required,
  search,
} from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource } from './resource.ts';

const read = { all: ['read:forms'] } as const;
const write = { all: ['write:forms'] } as const;

/** Types of form fields; the type decides the valid answers. */
export const questionTypes = [
  'text',
  'textarea',
  'email',
  'phone',
  'number',
  'date',
  'select',
  'multiselect',
  'checkbox',
] as const;
/** Types with options. */
export const choiceTypes: ReadonlySet<string> = new Set(['select', 'multiselect']);

/** Part of a web address: words joined by hyphens. */
const webSlug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters and digits, words joined by -')
  .max(64);

const question = z.strictObject({
  key: fields.slug,
  label: fields.name,
  type: z.enum(questionTypes),
  required: z.boolean().default(false),
  options: z.array(fields.name).max(100).default([]),
});
/** One field of a form. */
export type Question = z.output<typeof question>;

const statuses = ['draft', 'published', 'closed'] as const;

export const forms = resource({
  name: 'forms',
  singular: 'form',
  plural: 'forms',
  path: '/marketing/forms',
  param: 'id',
  about: 'A form with questions. Its submissions contain the answers.',
  get fields() {
    return {
      name: required(decision, fields.name, 'Name.'),
      slug: {
        ...defaulted(decision, webSlug, '', 'Name in web addresses, unique in the team.', {
          initialText: 'made from the name',
        }),
        initial: undefined,
      },
      description: optional(decision, fields.notes, 'Description.'),
      status: defaulted(
        decision,
        z.enum(statuses),
        'draft',
        'Status. Only published forms accept submissions.',
      ),
      fields: defaulted(
        decision,
        z.array(question).max(100),
        [],
        "The questions. Keys must be unique; options are for select and multiselect. Existing submissions don't change.",
      ),
      submissionCount: readOnly(decision, fields.count, 'Number of submissions.', { initial: 0 }),
    };
  },
  get filters() {
    return {
      status: equals(decision, z.enum(statuses), 'status', 'Forms with this status.'),
      slug: equals(decision, webSlug, 'slug', 'The form with this name in web addresses.'),
      q: search(decision, ['name', 'description'], ['name'], {
        fields: 'name or description',
        keys: 'the name',
      }),
    };
  },
  unique: [{ field: 'slug' }],
  transitions: {
    field: 'status',
    source: decision,
    first: ['draft', 'published'],
    to: { draft: ['published'], published: ['closed'], closed: ['published'] },
  },
  operations: {
    list: { source: decision, scope: read, about: 'List forms.' },
    get: { source: decision, scope: read, about: 'Read a form.' },
    create: {
      source: decision,
      scope: write,
      about: 'Create a form.',
      problems: ['duplicate', 'invalid_transition'],
    },
    update: {
      source: decision,
      scope: write,
      about: 'Change, publish or close a form.',
      problems: ['duplicate', 'invalid_transition'],
    },
  },
});

const reviews = ['new', 'reviewed', 'archived'] as const;

export const formSubmissions = resource({
  name: 'formSubmissions',
  singular: 'submission',
  plural: 'submissions',
  path: '/marketing/forms/{id}/submissions',
  parent: { resource: 'forms', field: 'formId' },
  param: 'submissionId',
  about:
    "A person's answers to a form. A repeat with the same externalId returns the existing submission with status 200.",
  get fields() {
    return {
      formId: readOnly(decision, fields.id, 'The form.', { references: 'forms' }),
      data: immutable(
        decision,
        z.looseObject({}),
        'Answers by question key, checked against the form. Unanswered questions are null.',
      ),
      customerId: optional(decision, fields.id, 'The customer who answered.', {
        references: 'customers',
      }),
      contactId: optional(decision, fields.id, 'The contact who answered.', {
        references: 'contacts',
      }),
      externalId: createOnly(decision, fields.name, 'Id in another system, unique in the form.'),
      status: defaulted(decision, z.enum(reviews), 'new', 'Review status.'),
      submittedAt: readOnly(decision, fields.timestamp, 'When it was submitted.'),
    };
  },
  get filters() {
    return {
      status: equals(decision, z.enum(reviews), 'status', 'Submissions with this status.'),
      customerId: equals(decision, fields.id, 'customerId', 'Submissions of this customer.'),
      contactId: equals(decision, fields.id, 'contactId', 'Submissions of this contact.'),
      externalId: equals(
        decision,
        fields.name,
        'externalId',
        'The submission with this id in another system.',
      ),
    };
  },
  unique: [{ field: 'externalId', within: 'formId' }],
  operations: {
    list: { source: decision, scope: read, about: 'List the submissions of a form.' },
    get: { source: decision, scope: read, about: 'Read a submission.' },
    create: {
      source: decision,
      scope: write,
      about: 'Submit answers to a published form.',
      existing: 'The form already has a submission with this externalId. It is returned.',
      problems: ['form_closed'],
    },
    update: {
      source: decision,
      scope: write,
      about: 'Review a submission, or set its customer or contact.',
    },
  },
});
