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
  about:
    "A reusable text. Content steps copy it, so they don't change when the template changes or is deleted.",
  get fields() {
    return {
      name: required(decision, fields.name, 'Name.'),
      channel: required(decision, z.enum(templateChannels), 'Channel.'),
      subject: optional(decision, fields.line(255), 'Subject line.'),
      body: required(decision, fields.notes.min(1), 'The text.'),
      lastUsedAt: readOnly(
        decision,
        fields.timestamp.nullable(),
        'When it was last copied into a content step; null if never.',
      ),
    };
  },
  get filters() {
    return {
      channel: equals(decision, z.enum(templateChannels), 'channel', 'Templates for this channel.'),
      q: search(decision, ['name', 'subject', 'body'], ['name'], {
        fields: 'name, subject or text',
        keys: 'the name',
      }),
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
      about: 'Delete a template permanently. Content steps written with it keep their text.',
    },
  },
});
