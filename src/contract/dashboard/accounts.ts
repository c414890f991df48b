/** Who may open the dashboard. */
import { z } from 'zod';
import { createOnly, equals, immutable, readOnly } from '../declare.ts';
import * as fields from '../fields.ts';
import { decision, resource } from '../resource.ts';
import { accountRoles, roles } from './roles.ts';

const scope = { none: true } as const;

/** A link that is shown once. */
const link = {
  link: readOnly(
    decision,
    z.string().nullable(),
    'The one-time link. Only in the answer that makes it; null elsewhere.',
  ),
  linkEndsAt: readOnly(
    decision,
    fields.timestamp.nullable(),
    'When the link that nobody has used yet ends; null without one.',
  ),
};

const adminStates = ['active', 'invited', 'link_ended'] as const;
export type AdminState = (typeof adminStates)[number];
const screenStates = ['active', 'invited', 'link_ended', 'signed_out'] as const;
export type ScreenState = (typeof screenStates)[number];

export const admins = resource({
  name: 'admins',
  singular: 'admin',
  plural: 'admins',
  path: '/team/admins',
  param: 'id',
  about: 'Somebody who signs in: an admin, who manages the team, or one of the staff.',
  computed: true,
  get fields() {
    return {
      id: readOnly(decision, fields.id, 'The id of the account.'),
      email: immutable(decision, fields.email, 'E-mail address, in lower case.'),
      name: createOnly(decision, fields.plainName, 'Name; the e-mail address by default.'),
      role: {
        ...createOnly(
          decision,
          z.enum(accountRoles),
          'Admin: all of it. Staff: the work with the cars, without keys, accounts and usage.',
          { initialText: 'admin' },
        ),
        schema: z.enum(accountRoles),
      },
      hasPassword: readOnly(decision, z.boolean(), 'Whether the first link was used.'),
      state: readOnly(
        decision,
        z.enum(adminStates),
        'Active: has a password. Invited: the link waits to be used. Link ended: nobody used it; make a new one.',
      ),
      lastSeenAt: readOnly(
        decision,
        fields.timestamp.nullable(),
        'When a browser of this account last asked for something.',
      ),
      createdAt: readOnly(decision, fields.timestamp, 'When the account was added.'),
      ...link,
    };
  },
  operations: {
    list: { source: decision, scope, about: 'List the admins.' },
    create: {
      source: decision,
      scope,
      about: 'Add an admin, who signs in with the link.',
      problems: ['duplicate'],
    },
    delete: { source: decision, scope, about: 'Remove an admin and end the sessions.' },
  },
});

export const adminLinks = resource({
  name: 'adminLinks',
  singular: 'link',
  plural: 'links',
  path: '/team/admins/{id}/links',
  parent: { resource: 'admins', field: 'adminId' },
  param: 'linkId',
  about:
    'A one-time link for the first password of an admin, or another one. Older links are void.',
  computed: true,
  get fields() {
    return { ...link };
  },
  operations: {
    create: { source: decision, scope, about: 'Make a link.' },
  },
});

export const phoneLinks = resource({
  name: 'phoneLinks',
  singular: 'phone link',
  plural: 'phone links',
  path: '/team/phone-links',
  param: 'id',
  about:
    'A one-time link that signs a phone in, with the name of whoever makes it and the role staff, for two minutes. Each reading adds two minutes, and deleting it signs the phone out.',
  computed: true,
  get fields() {
    return { id: readOnly(decision, fields.id, 'The id of the link.'), ...link };
  },
  operations: {
    get: { source: decision, scope, about: 'Keep a link and its phone for two more minutes.' },
    create: { source: decision, scope, about: 'Make a link for a phone.' },
    delete: { source: decision, scope, about: 'End a link, and sign out the phone that used it.' },
  },
});

export const screens = resource({
  name: 'screens',
  singular: 'screen',
  plural: 'screens',
  path: '/team/screens',
  param: 'id',
  about: 'A display on a wall, which shows the board and today and nothing else.',
  computed: true,
  get fields() {
    return {
      id: readOnly(decision, fields.id, 'The id of the screen.'),
      name: immutable(decision, fields.plainName, 'Where it hangs.'),
      createdBy: readOnly(decision, z.string(), 'Who added it.'),
      openedAt: readOnly(decision, fields.timestamp.nullable(), 'When a link was last opened.'),
      state: readOnly(
        decision,
        z.enum(screenStates),
        'Active: a display is signed in. Invited: the link waits to be used. Link ended: nobody used it. Signed out: its session has ended.',
      ),
      lastSeenAt: readOnly(
        decision,
        fields.timestamp.nullable(),
        'When it last asked for something.',
      ),
      createdAt: readOnly(decision, fields.timestamp, 'When it was added.'),
      ...link,
    };
  },
  operations: {
    list: { source: decision, scope, about: 'List the screens.' },
    create: { source: decision, scope, about: 'Add a screen, which the link signs in.' },
    delete: { source: decision, scope, about: 'End a screen.' },
  },
});

export const screenLinks = resource({
  name: 'screenLinks',
  singular: 'link',
  plural: 'links',
  path: '/team/screens/{id}/links',
  parent: { resource: 'screens', field: 'screenId' },
  param: 'linkId',
  about:
    'A one-time link that signs a display in as this screen. Older links are void; the display that shows it now is signed out when the link is used.',
  computed: true,
  get fields() {
    return { ...link };
  },
  operations: {
    create: { source: decision, scope, about: 'Make a link.' },
  },
});

export const sessions = resource({
  name: 'sessions',
  singular: 'session',
  plural: 'sessions',
  path: '/team/sessions',
  param: 'id',
  about: 'A browser that is signed in.',
  computed: true,
  get fields() {
    return {
      id: readOnly(decision, fields.id, 'The id of the session.'),
      role: readOnly(decision, z.enum(roles), 'Of an admin, of the staff, or of a screen.'),
      name: readOnly(decision, z.string(), 'The admin or the screen.'),
      device: readOnly(decision, z.string(), 'Browser and system.'),
      address: readOnly(decision, z.string(), 'The address that it signed in from.'),
      lastSeenAt: readOnly(
        decision,
        fields.timestamp,
        'When it last asked for something, to five minutes.',
      ),
      endsAt: readOnly(decision, fields.timestamp, 'When it ends without another request.'),
      createdAt: readOnly(decision, fields.timestamp, 'When it signed in.'),
      isCurrent: readOnly(decision, z.boolean(), 'Whether it is the session of this request.'),
    };
  },
  operations: {
    list: { source: decision, scope, about: 'List the sessions.' },
    delete: { source: decision, scope, about: 'End a session.' },
  },
});

export const audit = resource({
  name: 'audit',
  singular: 'audit entry',
  plural: 'audit entries',
  path: '/team/audit',
  param: 'id',
  about: 'Who did what to keys, the switch, accounts and sign-ins. Latest first.',
  computed: true,
  get fields() {
    return {
      id: readOnly(decision, fields.id, 'The id of the entry.'),
      at: readOnly(decision, fields.timestamp, 'When it was done.'),
      actor: readOnly(
        decision,
        z.string(),
        'Who did it: admin:ADDRESS of an account, screen:NAME, or the user of the machine.',
      ),
      action: readOnly(decision, z.string(), 'For example key.create.'),
      subject: readOnly(decision, z.string().nullable(), 'The id of what was changed.'),
      details: readOnly(decision, z.unknown(), 'What was changed, without secrets.'),
    };
  },
  get filters() {
    return {
      beforeId: equals(decision, fields.id, 'id', 'Entries that are listed below this one.'),
      action: equals(decision, fields.text(64), 'action', 'Entries of this action.'),
      subject: equals(decision, fields.id, 'subject', 'Entries about this key, account or screen.'),
    };
  },
  operations: {
    list: { source: decision, scope, about: 'Show the audit log.' },
  },
});
