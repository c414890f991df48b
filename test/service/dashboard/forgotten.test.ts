/** A link for a new password by e-mail: only to the address of the account, with an address that the operator gave. */
import { afterAll, expect, test } from 'vitest';
import { inTeam } from '../../../src/service/admin.ts';
import { smtpTransport } from '../../../src/service/outbox/smtp.ts';
import {
  type Mailbox,
  readMailbox,
  readSmtpUrl,
} from '../../../src/service/outbox/smtp-settings.ts';
import { removeAdmin, requireAdmin } from '../../../src/service/team/accounts.ts';
import { adminLinkHandler } from '../../../src/service/team/forgotten.ts';
import { inviteAdmin, openBrowser, signInAdmin } from '../../helpers/dashboard.ts';
import { startMailServer } from '../../helpers/mail-server.ts';
import { startTestService } from '../../helpers/service.ts';

const mail = await startMailServer();
const transport = () =>
  smtpTransport({
    server: readSmtpUrl(mail.url),
    from: readMailbox('office@garage.example') as Mailbox,
  });
const service = await startTestService({
  transport: transport(),
  // The browsers of the test come over loopback, whatever people see.
  dashboard: { publicUrl: new URL('https://garage.example') },
});
afterAll(async () => {
  await service.close();
  await mail.close();
});
const forgot = (email: string) => openBrowser(service).ask('POST', '/session/forgotten', { email });
const next = 'another long sentence with words';

/** The log, as the account sees it with the next password. */
async function readLog(email: string) {
  const browser = openBrowser(service);
  await browser.ask('POST', '/session', { email, password: next });
  return browser.ask('GET', '/api/v1/team/audit?limit=200');
}

test('the mail has a link that sets a new password, ends the sessions, and is used once', async () => {
  const admin = await signInAdmin(service);
  expect(await admin.ask('GET', '/session')).toMatchObject({ body: { data: { mail: true } } });
  expect(await forgot(admin.email.toUpperCase())).toMatchObject({
    status: 202,
    body: { data: { sent: true } },
  });
  const [sent] = await mail.taken(1);
  expect(sent).toMatchObject({
    envelope: { to: [admin.email] },
    subject: 'A new password for the dashboard of First',
  });
  const [, token = ''] =
    /https:\/\/garage\.example\/dashboard\/link#([\w-]{43})\n/.exec(sent?.text ?? '') ?? [];
  expect(
    sent?.text.replace(token, '<token>').replace(admin.email, '<address>'),
  ).toMatchInlineSnapshot(`
    "Somebody asked for a new password for <address>.

    Set it here. The link works once, for an hour:
    https://garage.example/dashboard/link#<token>

    If it wasn't you, do nothing: your password stays as it is."
  `);
  expect(await admin.ask('GET', '/api/v1/cars')).toMatchObject({ status: 200 });
  expect(
    await openBrowser(service).ask('POST', '/link/use', { token, password: next }),
  ).toMatchObject({ status: 200 });
  expect(await admin.ask('GET', '/api/v1/cars')).toMatchObject({ status: 401 });
  expect(await openBrowser(service).ask('POST', '/link', { token })).toMatchObject({
    body: { code: 'link_invalid' },
  });
  // Anybody can ask: the log has the address, and that the link came by e-mail.
  const { data } = (await readLog(admin.email)).body;
  expect(data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'password.forgotten', details: { address: '127.0.0.1' } }),
      expect.objectContaining({ action: 'password.set', details: { linkBy: 'e-mail' } }),
    ]),
  );
  const rows = await service.admin.database.read.selectFrom('outbox').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('of an account that has no password yet: a link with the time of an invitation; of a removed one, no mail', async () => {
  const { email, id } = await inviteAdmin(service);
  const before = mail.mails.length;
  await forgot(email);
  const sent = (await mail.taken(before + 1)).at(-1);
  expect(sent?.text).toContain('The link works once, for 72 hours:');
  expect(sent?.text).toContain("If it wasn't you, do nothing.");
  const [, token = ''] = /link#([\w-]{43})\n/.exec(sent?.text ?? '') ?? [];
  const { data } = (await openBrowser(service).ask('POST', '/link', { token })).body;
  expect(data).toMatchObject({ purpose: 'welcome', email });
  expect(Date.parse(data.endsAt) - Date.now()).toBeGreaterThan(71 * 60 * 60_000);
  const { load } = adminLinkHandler('https://garage.example');
  await inTeam(service.admin, 'first', async (context) => {
    expect(await load(context, id)).toMatchObject({ to: email });
    await removeAdmin(context, 'test', await requireAdmin(context, id));
    expect(await load(context, id)).toBeUndefined();
  });
});

test('an address without an account gets the same answer and no mail; the fourth mail of an hour is not sent', async () => {
  const before = mail.mails.length;
  const admin = await signInAdmin(service);
  expect(await forgot('nobody@garage.example')).toMatchObject({
    status: 202,
    body: { data: { sent: true } },
  });
  for (let at = 1; at <= 4; at++) {
    expect(await forgot(admin.email)).toMatchObject({
      status: 202,
      body: { data: { sent: true } },
    });
    await mail.taken(before + Math.min(at, 3));
  }
  const last = await signInAdmin(service);
  await forgot(last.email);
  const all = await mail.taken(before + 4);
  expect(all.slice(before).map(({ envelope }) => envelope.to[0])).toEqual([
    admin.email,
    admin.email,
    admin.email,
    last.email,
  ]);
});

test('without the public address, or without a mail server, nothing is offered', async () => {
  for (const options of [
    { transport: transport(), dashboard: {} },
    { dashboard: { publicUrl: new URL('https://garage.example') } },
  ]) {
    const own = await startTestService(options);
    try {
      expect(await openBrowser(own).ask('GET', '/session')).toMatchObject({
        status: 200,
        body: { data: null, mail: false },
      });
      expect(
        await openBrowser(own).ask('POST', '/session/forgotten', { email: 'a@garage.example' }),
      ).toMatchObject({
        status: 503,
        body: {
          error: 'This service sends no e-mail; ask the owner of the machine for a link',
        },
      });
    } finally {
      await own.close();
    }
  }
});
