/** The audit log in words. */
import { expect, test } from 'vitest';
import { auditText } from '../../src/dashboard/audit-text.ts';

const key = { name: 'Site', prefix: 'ab12cd34ef56' };
const [spring, summer] = ['2199-04-01T10:00:00.000Z', '2199-07-01T10:00:00.000Z'];
const renamed = { from: 'Site', to: 'Web' };

test.each([
  [
    'Key created: “Site” · csk_ab12cd34ef56 · 2 scopes · expires never',
    ['key.create', { ...key, scopes: ['read:cars', 'write:cars'], expiresAt: null }],
  ],
  [
    'Key changed: “Site” · csk_ab12cd34ef56 · now “Web” · expires never (was Apr 1, 2199)',
    ['key.update', { ...key, changes: { name: renamed, expiresAt: { from: spring, to: null } } }],
  ],
  [
    'Key changed: “Site” · csk_ab12cd34ef56 · expires Jul 1, 2199 (was never)',
    ['key.update', { ...key, changes: { expiresAt: { from: null, to: summer } } }],
  ],
  // As an earlier version noted it.
  [
    'Key changed: “Site” · expires Apr 1, 2199',
    ['key.update', { name: 'Site', expiresAt: spring }],
  ],
  ['Integration turned off', ['integration.off', null]],
  ['Limit for files changed: 50 GB', ['team.quota', { quotaBytes: 50_000_000_000 }]],
  ['Limit for files changed: that of the service', ['team.quota', { quotaBytes: null }]],
  [
    'Sign-in: Firefox on Linux · from 192.0.2.7 · link made by anna@garage.example',
    [
      'session.start',
      { device: 'Firefox on Linux', address: '192.0.2.7', linkBy: 'admin:anna@garage.example' },
    ],
  ],
  ['Password set: link from an e-mail', ['password.set', { linkBy: 'e-mail' }]],
  [
    'Session ended: anna@garage.example · 2 sessions',
    ['session.end', { email: 'anna@garage.example', sessions: 2 }],
  ],
  [
    'Event of a car: HH-E 61H · drop off',
    ['car.event', { car: 'HH-E 61H', activityType: 'drop_off' }],
  ],
  [
    'Message given up: e-mail with a link · 3 attempts',
    ['outbox.drop', { kind: 'adminLink', attempts: 3, error: 'no' }],
  ],
  [
    'Photos of an event type changed: drop_off · front, rear',
    ['event-type.photos', { value: 'drop_off', photos: ['front', 'rear'] }],
  ],
  [
    'Photos of an event type changed: drop_off · any photos',
    ['event-type.photos', { value: 'drop_off', photos: [] }],
  ],
  ['of tomorrow', ['of.tomorrow', { such: ['as', 'this'] }]],
] as const)('%s', (text, [action, details]) => {
  expect(auditText(action, details)).toBe(text);
});
