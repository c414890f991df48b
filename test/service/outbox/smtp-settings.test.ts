import { describe, expect, test } from 'vitest';
import { oneLine, readMailbox, readSmtpUrl } from '../../../src/service/outbox/smtp-settings.ts';

describe('the address of a mail server', () => {
  test.each([
    [
      'smtp://mail.example.com',
      { host: 'mail.example.com', port: 587, secure: false, requireTLS: false, verified: true },
    ],
    ['smtp://mail.example.com:25/', { port: 25, secure: false }],
    ['smtps://mail.example.com', { port: 465, secure: true, requireTLS: false, verified: true }],
    ['smtp://u:p@mail.example.com', { requireTLS: true, auth: { user: 'u', pass: 'p' } }],
    [
      'smtps://u:p@mail.example.com:2465',
      { port: 2465, secure: true, requireTLS: false, auth: { user: 'u', pass: 'p' } },
    ],
    [
      'smtp://office%40example.com:a%2Fb%25@mail.example.com',
      { auth: { user: 'office@example.com', pass: 'a/b%' } },
    ],
    ['smtp://u:p@localhost:1025', { host: 'localhost', requireTLS: false, verified: false }],
    ['smtp://127.0.0.1:25', { host: '127.0.0.1', verified: false }],
    ['smtps://[::1]:465', { host: '::1', verified: false }],
    ['smtp://u:p@localhost.example.com', { requireTLS: true, verified: true }],
  ])('%s', (url, expected) => {
    expect(readSmtpUrl(url)).toMatchObject(expected);
  });

  test('no login without a user', () => {
    expect(readSmtpUrl('smtp://mail.example.com')).not.toHaveProperty('auth');
  });

  const form = 'It must look like smtp://user:password@host:587 or smtps://user:password@host:465';
  const end = 'It must end after the host and the port';
  const both = 'It must give both a user and a password, or neither';
  test.each([
    ['mail.example.com', form],
    ['http://mail.example.com', form],
    ['smtp:', form],
    ['smtp://u:secret@mail.example.com?pool=1', end],
    ['smtp://u:secret@mail.example.com/inbox', end],
    ['smtp://u@mail.example.com', both],
    ['smtp://:secret@mail.example.com', both],
    ['smtp://u:%secret@mail.example.com', 'A % in the user or the password must be written %25'],
  ])('%s is refused, and the password is not repeated', (url, why) => {
    expect(() => readSmtpUrl(url)).toThrow(new Error(why));
  });
});

describe('the sender', () => {
  test.each([
    ['office@example.com', { name: '', address: 'office@example.com' }],
    [' office@example.com ', { name: '', address: 'office@example.com' }],
    ['The Garage <office@example.com>', { name: 'The Garage', address: 'office@example.com' }],
    ['<office@example.com>', { name: '', address: 'office@example.com' }],
    [
      '"Ann \\"A\\" O\'Hara, Ltd." <ann@example.com>',
      { name: 'Ann "A" O\'Hara, Ltd.', address: 'ann@example.com' },
    ],
    [
      'Eve <eve@evil.example>, Bob <bob@example.com>',
      { name: 'Eve <eve@evil.example>, Bob', address: 'bob@example.com' },
    ],
    [
      'Eve\r\nBcc: all@example.com <eve@example.com>',
      { name: 'Eve Bcc: all@example.com', address: 'eve@example.com' },
    ],
  ])('%j', (text, expected) => {
    expect(readMailbox(text)).toEqual(expected);
  });

  test.each([
    '',
    'office',
    'The Garage <office>',
    'a@example.com, b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    '<a@example.com',
  ])('%j is nobody', (text) => {
    expect(readMailbox(text)).toBeUndefined();
  });
});

test('a header is always a single line', () => {
  expect(oneLine(' Hello\r\nBcc: all@example.com\u0085\u2028x\t ')).toBe(
    'Hello Bcc: all@example.com x',
  );
});
