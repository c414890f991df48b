/** Handing e-mail over, against real mail servers: what arrives, and what a refusal means. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { OutboxMessage } from '../../../src/service/outbox/outbox.ts';
import { smtpTransport } from '../../../src/service/outbox/smtp.ts';
import { readSmtpUrl } from '../../../src/service/outbox/smtp-settings.ts';
import { timing } from '../../../src/service/outbox/timing.ts';
import { redactAddresses, TransportError } from '../../../src/service/outbox/transport.ts';
import { certificate, privateKey } from '../../helpers/certificates.ts';
import { smtpError, startMailServer } from '../../helpers/mail-server.ts';

const id = '0198c0de-0000-7000-8000-000000000001';
const letter: OutboxMessage = {
  id,
  to: 'ada@example.com',
  from: null,
  subject: 'Your car',
  body: 'It is ready.',
};
const never = new AbortController().signal;

/** A transport that is closed when the test ends. */
function transportTo(url: string) {
  const transport = smtpTransport({
    server: readSmtpUrl(url),
    from: { name: 'The Garage', address: 'office@garage.example' },
  });
  onTestFinished(() => transport.close());
  return transport;
}

async function serverWith(options: Parameters<typeof startMailServer>[0]) {
  const server = await startMailServer(options);
  onTestFinished(() => server.close());
  return server;
}

const refusal = async (
  url: string,
  given: Partial<OutboxMessage> = {},
  signal = never,
): Promise<TransportError> => {
  const error = await transportTo(url)
    .send({ ...letter, ...given }, signal)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  expect(error).toBeInstanceOf(TransportError);
  return error as TransportError;
};

describe('delivered mail', async () => {
  const server = await startMailServer();
  const transport = smtpTransport({
    server: readSmtpUrl(server.url),
    from: { name: 'The Garage', address: 'office@garage.example' },
  });
  afterAll(async () => {
    await transport.close();
    await server.close();
  });
  const arrived = async (given: Partial<OutboxMessage>) => {
    const before = server.mails.length;
    const result = await transport.send({ ...letter, ...given }, never);
    expect(server.mails.length).toBe(before + 1);
    return { ...server.mails[before], result };
  };

  test('plain text from the service, with the same id at each try', async () => {
    const mail = await arrived({});
    expect(mail).toMatchObject({
      envelope: { from: 'office@garage.example', to: ['ada@example.com'] },
      subject: 'Your car',
      text: 'It is ready.',
      headers: {
        from: ['The Garage <office@garage.example>'],
        to: ['ada@example.com'],
        'message-id': [`<${id}@garage.example>`],
        'content-type': ['text/plain; charset=utf-8'],
        date: [expect.stringMatching(/\d{4}/)],
      },
      result: { externalId: `<${id}@garage.example>` },
    });
    expect((await arrived({})).headers?.['message-id']).toEqual(mail.headers?.['message-id']);
    expect(mail.raw).not.toMatch(/nodemailer/i);
  });

  test.each([
    ['other alphabets', 'Grüße aus 京都 🚗', 'Dein Käfer ist fertig. 車 🚗\n\nZweite Zeile'],
    ['a line of a single dot, and a long one', 'Dots', `before\n.\n..\nafter ${'x'.repeat(5_000)}`],
    ['what looks like an end of the mail', 'End', 'a\r\n.\r\nMAIL FROM:<evil@example.com>'],
    ['a subject of 255 characters', 'ü'.repeat(255), 'x'],
  ])('%s', async (_name, subject, body) => {
    expect(await arrived({ subject, body })).toMatchObject({
      subject,
      text: body.replace(/\r\n/g, '\n'),
    });
  });

  test('no value can start a header or add a recipient', async () => {
    const mail = await arrived({
      subject: 'Hello\r\nBcc: all@example.com\r\n\r\nAnother body',
      from: 'Eve\r\nBcc: all@example.com, Bob <bob@example.com>, Eve <eve@example.com>',
    });
    expect(mail.envelope).toEqual({ from: 'eve@example.com', to: ['ada@example.com'] });
    expect(mail.headers).not.toHaveProperty('bcc');
    expect(mail.headers?.from).toHaveLength(1);
    expect(mail).toMatchObject({
      subject: 'Hello Bcc: all@example.com Another body',
      text: 'It is ready.',
    });
    expect(mail.headers?.['message-id']).toEqual([`<${id}@example.com>`]);
  });

  test.each([
    ['two recipients', { to: 'a@example.com, b@example.com' }],
    ['a recipient with a second line', { to: 'a@example.com\r\nRCPT TO:<b@example.com>' }],
    ['no recipient', { to: '' }],
    ['a sender that is none', { from: 'nobody' }],
  ])('%s: refused for good, and nothing is sent', async (_name, given) => {
    const before = server.mails.length;
    expect(await refusal(server.url, given)).toMatchObject({ permanent: true, reason: 'EADDRESS' });
    expect(server.mails.length).toBe(before);
  });
});

describe('a refusal', () => {
  const answering =
    (code: number) => (_address: unknown, _session: unknown, done: (error?: Error) => void) =>
      done(smtpError(code, 'No'));

  test.each([
    ['the recipient for good', { onRcptTo: answering(550) }, true],
    ['the recipient for now', { onRcptTo: answering(450) }, false],
    ['the mail for good', { onMail: () => Promise.reject(smtpError(554, 'No')) }, true],
    ['the mail for now', { onMail: () => Promise.reject(smtpError(451, 'No')) }, false],
    ['the sender: the operator can mend that', { onMailFrom: answering(553) }, false],
    ['everybody without a login: the same', { onMailFrom: answering(530) }, false],
    [
      'everybody without a login, told at the recipient: the same',
      { onRcptTo: answering(530) },
      false,
    ],
  ])('of %s', async (_name, options, permanent) => {
    const server = await serverWith(options);
    expect(await refusal(server.url)).toMatchObject({
      permanent,
      message: expect.stringContaining('No'),
      reason: expect.stringMatching(/E\w+ \d{3}/),
    });
    expect(server.mails).toEqual([]);
  });

  test('does not end the connection: the next letter goes out', async () => {
    const server = await serverWith({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('no') ? smtpError(550, 'No') : undefined),
    });
    const transport = transportTo(server.url);
    await expect(transport.send({ ...letter, to: 'no@example.com' }, never)).rejects.toMatchObject({
      permanent: true,
    });
    await transport.send(letter, never);
    expect(server.mails).toHaveLength(1);
  });

  test('no server', async () => {
    const server = await startMailServer();
    await server.close();
    expect(await refusal(server.url)).toMatchObject({
      permanent: false,
      message: `The connection to ${new URL(server.url).host} failed: connection refused`,
      reason: 'ECONNREFUSED',
    });
  });

  test('an unresponsive server: the delivery ends at its time limit', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const time = new AbortController();
    silent.once('connection', () => time.abort());
    expect(
      await refusal(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`, {}, time.signal),
    ).toMatchObject({
      permanent: false,
    });
  });
});

test('several letters go out at once, over connections of their own', async () => {
  let [waiting, release]: [number, () => void] = [0, () => undefined];
  const together = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = await serverWith({
    onMail() {
      if (++waiting === timing.atOnce) release();
      return together;
    },
  });
  const transport = transportTo(server.url);
  await Promise.all(
    Array.from({ length: timing.atOnce }, (_, n) =>
      transport.send({ ...letter, id: `${n}` }, never),
    ),
  );
  expect(server.mails).toHaveLength(timing.atOnce);
});

test('the log of a rejection contains no address', () => {
  const error = new TransportError('450 <ada@example.com>: greylisted by mx.example.com', {
    permanent: false,
    reason: 'test',
  });
  expect(redactAddresses(error)).toBe('450 <<address>>: greylisted by mx.example.com');
});

describe('login and TLS', () => {
  const tls = { cert: certificate, key: privateKey };
  const login = {
    ...tls,
    disabledCommands: [],
    allowInsecureAuth: true,
    authOptional: false,
    onAuth: (
      { username, password }: { username?: string; password?: string | null },
      _session: unknown,
      done: (error: Error | null, response?: { user: string }) => void,
    ) =>
      username === 'office@example.com' && password === 'a/b%'
        ? done(null, { user: username })
        : done(smtpError(535, 'Wrong')),
  };

  test('the user and password of the address are used, once the connection is TLS', async () => {
    let secure: boolean | undefined;
    const server = await serverWith({
      ...login,
      onMailFrom: (_address, session, done) => {
        secure = session.secure;
        done();
      },
    });
    await transportTo(server.url.replace('//', '//office%40example.com:a%2Fb%25@')).send(
      letter,
      never,
    );
    expect({ secure, mails: server.mails.length }).toEqual({ secure: true, mails: 1 });
  });

  test('TLS from the first byte', async () => {
    const server = await serverWith({ ...login, secure: true });
    await transportTo(server.url.replace('smtp://', 'smtps://office%40example.com:a%2Fb%25@')).send(
      letter,
      never,
    );
    expect(server.mails).toHaveLength(1);
  });

  test('a wrong password is a temporary failure that the operator can fix', async () => {
    const server = await serverWith(login);
    const error = await refusal(server.url.replace('//', '//office%40example.com:secret@'));
    expect(error).toMatchObject({ permanent: false, reason: 'EAUTH 535' });
    expect(error.message).not.toContain('secret');
  });

  test('with a password, another machine gets nothing before TLS', async () => {
    const server = await serverWith({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: login.onAuth,
    });
    // As if the server stood elsewhere.
    const settings = {
      ...readSmtpUrl(server.url),
      requireTLS: true,
      auth: { user: 'u', pass: 'secret' },
    };
    const transport = smtpTransport({
      server: settings,
      from: { name: '', address: 'office@garage.example' },
    });
    onTestFinished(() => transport.close());
    await expect(transport.send(letter, never)).rejects.toMatchObject({
      permanent: false,
      reason: expect.stringContaining('ETLS'),
    });
    expect(server.mails).toEqual([]);
  });

  test('a self-signed certificate of another machine is refused', async () => {
    const server = await serverWith({ ...tls, secure: true });
    const settings = { ...readSmtpUrl(server.url.replace('smtp:', 'smtps:')), verified: true };
    const transport = smtpTransport({
      server: settings,
      from: { name: '', address: 'office@garage.example' },
    });
    onTestFinished(() => transport.close());
    await expect(transport.send(letter, never)).rejects.toMatchObject({ permanent: false });
    expect(server.mails).toEqual([]);
  });
});
