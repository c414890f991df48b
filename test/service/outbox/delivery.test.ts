/** From the request to the mail server: what is written goes out, also when the process is killed. CS_LONG=1 kills a hundred times instead of three. */
import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { RecordFor } from '../../../src/contract/contract.ts';
import { scopes } from '../../../src/contract/scopes.ts';
import { type Admin, createKey, createTeam } from '../../../src/service/admin.ts';
import { smtpTransport } from '../../../src/service/outbox/smtp.ts';
import { readSmtpUrl } from '../../../src/service/outbox/smtp-settings.ts';
import { timing } from '../../../src/service/outbox/timing.ts';
import type { Transport } from '../../../src/service/outbox/transport.ts';
import { openStores } from '../../../src/service/stores.ts';
import { startChildService } from '../../helpers/child-service.ts';
import { facility } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { type MailServer, smtpError, startMailServer } from '../../helpers/mail-server.ts';
import { send, startTestService } from '../../helpers/service.ts';

type Message = RecordFor<'messages'>;
const transportTo = (url: string) =>
  smtpTransport({
    server: readSmtpUrl(url),
    from: { name: 'The Garage', address: 'office@garage.example' },
  });

async function serviceWith(mail: Pick<MailServer, 'url'>) {
  const service = await startTestService({
    transport: transportTo(mail.url),
    outbox: { retryAfterMs: () => 20 },
  });
  onTestFinished(() => service.close());
  const make = facility(service);
  const ada = await make.customer({
    firstName: 'Ada',
    email: 'ada@example.com',
    phone: '+49 30 1',
  });
  const settled = async (threadId: string, id: string): Promise<Message> => {
    for (;;) {
      const message = await make.read(`/communications/threads/${threadId}/messages/${id}`);
      if (message.status !== 'queued') return message;
    }
  };
  return { ...service, make, ada, settled };
}

test('a reply to a customer arrives, and its status is sent; without a subject it has the name of the team', async () => {
  const mail = await startMailServer();
  onTestFinished(() => mail.close());
  const { make, ada, settled } = await serviceWith(mail);
  const thread = await make.thread({ channel: 'email', subject: 'Your car', customerId: ada.id });
  const note = await make.message(thread.id, { direction: 'internal', body: 'Nobody’s business' });
  const written = await make.message(thread.id, {
    direction: 'outbound',
    body: 'It is ready.\nSee you!',
  });
  expect(written).toMatchObject({
    status: 'queued',
    recipient: 'ada@example.com',
    sentAt: null,
    externalId: null,
  });

  const sent = await settled(thread.id, written.id);
  expect(sent).toMatchObject({
    status: 'sent',
    error: null,
    externalId: `<${written.id}@garage.example>`,
  });
  expect(sent.sentAt).toBe(sent.updatedAt);
  expect(mail.mails).toMatchObject([
    {
      envelope: { from: 'office@garage.example', to: ['ada@example.com'] },
      subject: 'Your car',
      text: 'It is ready.\nSee you!',
    },
  ]);
  expect((await make.read(`/communications/threads/${thread.id}/messages/${note.id}`)).status).toBe(
    'stored',
  );
  const bare = await make.thread({ channel: 'email', customerId: ada.id });
  await make.message(bare.id, { direction: 'outbound' });
  expect((await mail.taken(2))[1]).toMatchObject({ subject: 'First' });
});

test('a rejection is stored with the message', async () => {
  const mail = await startMailServer({
    onRcptTo: (_address, _session, done) => done(smtpError(550, 'No such user here')),
  });
  onTestFinished(() => mail.close());
  const { make, ada, settled } = await serviceWith(mail);
  const thread = await make.thread({ channel: 'email', customerId: ada.id });
  const { id } = await make.message(thread.id, { direction: 'outbound' });
  expect(await settled(thread.id, id)).toMatchObject({
    status: 'failed',
    sentAt: null,
    externalId: null,
    error: expect.stringContaining('550 No such user here'),
  });
});

test('a mail server that stays away: a team reads that, and not where the server is', async () => {
  const away = await startMailServer();
  await away.close();
  const said: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) });
  const outbox = { retryAfterMs: () => undefined };
  const service = await startTestService({ transport: transportTo(away.url), logger, outbox });
  onTestFinished(() => service.close());
  const make = facility(service);
  const ada = await make.customer({ firstName: 'Ada', email: 'ada@example.com' });
  const thread = await make.thread({ channel: 'email', customerId: ada.id });
  const { id } = await make.message(thread.id, { direction: 'outbound' });
  const read = () => make.read(`/communications/threads/${thread.id}/messages/${id}`);
  while ((await read()).status === 'queued');
  expect(await read()).toMatchObject({
    status: 'failed',
    error: "Couldn't reach the mail server, or it didn't accept the message",
  });
  expect(said.join('')).toContain(String(away.port));
  expect(said.join('')).not.toContain('ada@example.com');
});

test('an e-mail without a mail server stays queued until there is one; an SMS is stored', async () => {
  const mail = await startMailServer();
  onTestFinished(() => mail.close());
  const options: { transport?: Transport } = {};
  const service = await startTestService(options);
  onTestFinished(() => service.close());
  const make = facility(service);
  const ada = await make.customer({
    firstName: 'Ada',
    email: 'ada@example.com',
    phone: '+49 30 1',
  });
  const [email, sms] = [
    await make.thread({ channel: 'email', customerId: ada.id }),
    await make.thread({ channel: 'sms', customerId: ada.id }),
  ];
  await make.message(sms.id, { direction: 'outbound' });
  await make.message(email.id, { direction: 'outbound' });
  const all = async () => [
    ...(await make.read(`/communications/threads/${sms.id}/messages`)),
    ...(await make.read(`/communications/threads/${email.id}/messages`)),
  ];
  expect(await all()).toMatchObject([
    { status: 'stored', error: null, recipient: '+49 30 1' },
    { status: 'queued', error: null, recipient: 'ada@example.com' },
  ]);
  options.transport = transportTo(mail.url);
  await service.restart();
  await mail.taken(1);
  while ((await all())[1].status === 'queued') await setImmediate();
  expect(await all()).toMatchObject([{ status: 'stored', error: null }, { status: 'sent' }]);
});

const kills = process.env.CS_LONG ? 100 : 3;

test(`${kills} times kill -9: everything arrives, and what was in flight at most once more`, {
  timeout: 120_000 + kills * 10_000,
}, async () => {
  const folder = await makeFolder();
  const admin: Admin = { ...(await openStores({ data: folder })), actor: 'test' };
  await createTeam(admin, { name: 'First' });
  const { key } = await createKey(admin, { team: 'first', name: 'all', scopes });

  // Killed either when a mail is there that nobody knows of yet, or at any other moment.
  let killAfter = Number.POSITIVE_INFINITY;
  const mail = await startMailServer({
    async onMail() {
      if (--killAfter === 0) await child.stop('SIGKILL');
    },
  });
  let child = await startChildService(folder, '', mail.url);
  onTestFinished(async () => {
    await child.stop('SIGKILL');
    await mail.close();
    await admin.database.close();
    await removeFolder(folder);
  });
  const call = (method: string, path: string, body?: unknown) =>
    send(`${child.url}/api/v1${path}`, method, body, { 'x-api-key': key });
  const make = facility({ call });
  const ada = await make.customer({ firstName: 'Ada', email: 'ada@example.com' });
  const thread = await make.thread({ channel: 'email', customerId: ada.id });
  const acknowledged: string[] = [];

  for (let round = 0; round < kills; round++) {
    const inFlight = round % 2 === 0;
    killAfter = inFlight ? randomInt(1, 8) : Number.POSITIVE_INFINITY;
    const writes = Array.from({ length: 12 }, async (_, n) => {
      const message = await make.message(thread.id, {
        direction: 'outbound',
        body: `${round}.${n}`,
      });
      acknowledged.push(message.id);
    });
    if (inFlight) await Promise.allSettled([...writes, endOf(child)]);
    else {
      await Promise.any(writes);
      await Promise.allSettled([...writes, child.stop('SIGKILL')]);
    }
    child = await startChildService(folder, '', mail.url);
  }
  killAfter = Number.POSITIVE_INFINITY;
  const { data: messages } = await allSent(call, thread.id);
  expect(messages.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));

  const times = new Map<string, number>();
  for (const { headers } of mail.mails) {
    const id = headers['message-id']?.[0] ?? '';
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  expect([...times.keys()].toSorted()).toEqual(
    messages.map(({ id }) => `<${id}@garage.example>`).toSorted(),
  );
  const repeated = mail.mails.length - times.size;
  expect(repeated).toBeLessThanOrEqual(kills * timing.atOnce);
  // What was in flight when it happened has come twice: the test has met what it is about.
  expect(repeated).toBeGreaterThanOrEqual(Math.ceil(kills / 2));
  expect(await admin.database.read.selectFrom('outbox').selectAll().execute()).toEqual([]);
});

const endOf = ({
  process,
}: {
  process: {
    exitCode: number | null;
    signalCode: string | null;
    once(event: 'exit', then: () => void): unknown;
  };
}) =>
  new Promise<void>((resolve) =>
    process.exitCode === null && process.signalCode === null
      ? process.once('exit', resolve)
      : resolve(),
  );

async function allSent(
  call: (method: string, path: string) => Promise<{ body: { data: Message[]; total: number } }>,
  threadId: string,
) {
  for (;;) {
    const { body: first } = await call(
      'GET',
      `/communications/threads/${threadId}/messages?limit=200`,
    );
    const data = [...first.data];
    for (let page = 2; data.length < first.total; page++)
      data.push(
        ...(
          await call('GET', `/communications/threads/${threadId}/messages?limit=200&page=${page}`)
        ).body.data,
      );
    if (data.every(({ status }) => status === 'sent')) return { data };
  }
}
