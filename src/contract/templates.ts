import { z } from 'zod';
import { equals, optional, required, search, shown } from './declare.ts';
import * as fields from './fields.ts';
import { D, resource, S } from './resource.ts';

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
      name: required(D, fields.name, 'What people call it.'),
      channel: required(D, z.enum(templateChannels), 'What it is written for.'),
      subject: optional(D, fields.line(255), 'Subject line.'),
      body: required(D, fields.notes.min(1), 'The text.'),
      lastUsedAt: shown(D, fields.timestamp.nullable(), 'When it was last copied into a content step; null when it never was.'),
    };
  },
  get filters() {
    return {
      channel: equals(D, z.enum(templateChannels), 'channel', 'Templates written for this.'),
      q: search(D, ['name', 'subject', 'body'], ['name'], 'Words found in name, subject or text.'),
    };
  },
  operations: {
    list: { source: D, scope: read, about: 'List templates.' },
    get: { source: D, scope: read, about: 'Read a template.' },
    create: { source: D, scope: write, about: 'Create a template.' },
    update: { source: D, scope: write, about: 'Change a template.' },
    delete: {
      source: S,
      scope: write,
      about: 'Delete a template for good. Content steps that were written with it keep their text.',
    },
  },
});
