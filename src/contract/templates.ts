import { z } from 'zod';
import { equals, optional, readOnly, required, search } from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource, spec } from './resource.ts';

const read = { all: ['read:templates'] } as const;
const write = { all: ['write:templates'] } as const;
export const templateChannels = ['email', 'sms', 'social'] as const;

export const templates = resource({
  name: 'templates',
  singular: 'template',
  plural: 'templates',
  path: '/marketing/templates',
  param: 'id',
  about: 'A text of the library. What uses it copies its words, so changing or deleting it changes nothing that was written with it.',
  get fields() {
    return {
      name: required(decision, fields.name, 'What people call it.'),
      channel: required(decision, z.enum(templateChannels), 'What it is written for.'),
      subject: optional(decision, fields.line(255), 'Subject line.'),
      body: required(decision, fields.notes.min(1), 'The text.'),
      lastUsedAt: readOnly(decision, fields.timestamp.nullable(), 'When it was last copied into a content step; null when it never was.'),
    };
  },
  get filters() {
    return {
      channel: equals(decision, z.enum(templateChannels), 'channel', 'Templates written for this.'),
      q: search(decision, ['name', 'subject', 'body'], ['name'], 'Words found in name, subject or text.'),
    };
  },
  operations: {
    list: { source: decision, scope: read, about: 'List templates.' },
    get: { source: decision, scope: read, about: 'Read a template.' },
    create: { source: decision, scope: write, about: 'Create a template.' },
    update: { source: decision, scope: write, about: 'Change a template.' },
    delete: {
      source: spec,
      scope: write,
      about: 'Delete a template for good. Content steps that were written with it keep their text.',
    },
  },
});
