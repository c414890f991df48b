/** The lists of admins and screens: who is signed in, whose link waits, and whose link ended. */
import { expect, test } from 'vitest';
import { openBrowser, password, signInAdmin } from '../../helpers/dashboard.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService({ dashboard: {} });
const boss = await signInAdmin(service);
const { write } = service.admin.database;

const tokenOf = ({ body }: { body: { data: { link: string } } }) => body.data.link.split('#')[1];
const make = async (path: string, body: object = {}) =>
  boss.ask('POST', `/api/v1/team/${path}`, body);
const find = async (list: string, id: string) =>
  (await boss.ask('GET', `/api/v1/team/${list}?limit=200`)).body.data.find(
    (one: { id: string }) => one.id === id,
  );
const endLink = (column: 'adminId' | 'screenId', id: string) =>
  write
    .updateTable('oneTimeLinks')
    .set({ endsAt: new Date().toISOString() })
    .where(column, '=', id)
    .execute();

test('a screen: its link waits, ends, is made again, signs a display in, and moves to another display', async () => {
  const made = await make('screens', { name: 'Yard' });
  const { id } = made.body.data;
  expect(await find('screens', id)).toMatchObject({
    state: 'invited',
    linkEndsAt: made.body.data.linkEndsAt,
    link: null,
  });
  await endLink('screenId', id);
  expect(await find('screens', id)).toMatchObject({ state: 'link_ended', linkEndsAt: null });

  const again = await make(`screens/${id}/links`);
  expect(again).toMatchObject({
    status: 201,
    body: { data: { link: expect.stringContaining('/dashboard/link#') } },
  });
  expect(await openBrowser(service).ask('POST', '/link', { token: tokenOf(made) })).toMatchObject({
    body: { code: 'link_invalid' },
  });
  const display = openBrowser(service);
  expect(await display.ask('POST', '/link/use', { token: tokenOf(again) })).toMatchObject({
    body: { data: { role: 'screen', name: 'Yard' } },
  });
  expect(await find('screens', id)).toMatchObject({
    state: 'active',
    linkEndsAt: null,
    openedAt: expect.any(String),
  });

  const third = await make(`screens/${id}/links`);
  expect(await find('screens', id)).toMatchObject({
    state: 'active',
    linkEndsAt: third.body.data.linkEndsAt,
  });
  expect(await display.ask('GET', '/api/v1/cars')).toMatchObject({ status: 200 });
  const other = openBrowser(service);
  await other.ask('POST', '/link/use', { token: tokenOf(third) });
  expect(await display.ask('GET', '/api/v1/cars')).toMatchObject({ status: 401 });
  await write
    .updateTable('browserSessions')
    .set({ lastSeenAt: new Date(0).toISOString() })
    .where('screenId', '=', id)
    .execute();
  expect(await find('screens', id)).toMatchObject({
    state: 'signed_out',
    lastSeenAt: new Date(0).toISOString(),
  });

  const { body } = await boss.ask('GET', '/api/v1/team/audit?action=screen.link');
  expect(body.data).toMatchObject(
    [1, 2].map(() => ({ actor: `admin:${boss.email}`, subject: id, details: { name: 'Yard' } })),
  );
});

test('an admin: the link waits, ends, is made again, and sets the password', async () => {
  const { id, email, state } = (await make('admins', { email: 'late@garage.example' })).body.data;
  expect([email, state]).toEqual(['late@garage.example', 'invited']);
  await endLink('adminId', id);
  expect(await find('admins', id)).toMatchObject({ state: 'link_ended', hasPassword: false });
  await openBrowser(service).ask('POST', '/link/use', {
    token: tokenOf(await make(`admins/${id}/links`)),
    password,
  });
  expect(await find('admins', id)).toMatchObject({
    state: 'active',
    hasPassword: true,
    linkEndsAt: null,
  });
});

test('an unknown screen has no links', async () => {
  expect(await make(`screens/${boss.id}/links`)).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
});

test('the log: who did what to whom, and who made the link that was opened, since another admin may have opened it', async () => {
  const read = async () => (await boss.ask('GET', '/api/v1/team/audit?limit=200')).body.data;
  const before = (await read()).length;
  const { id, email } = (await make('admins', { email: 'bob@garage.example' })).body.data;
  const link = tokenOf(await make(`admins/${id}/links`));
  await openBrowser(service).ask('POST', '/link/use', { token: link, password });
  const screen = (await make('screens', { name: 'Gate' })).body.data;
  await openBrowser(service).ask('POST', '/link/use', { token: screen.link.split('#')[1] });
  const own = openBrowser(service);
  await own.ask('POST', '/session', { email, password });
  const next = 'quite another long sentence';
  await own.ask('PUT', '/session/password', { current: password, password: next });
  await own.ask('DELETE', '/session');
  await boss.ask('DELETE', `/api/v1/team/screens/${screen.id}`);
  await boss.ask('DELETE', `/api/v1/team/admins/${id}`);
  const names: Record<string, string> = { [id]: '<bob>', [screen.id]: '<gate>' };
  const log = (await read()).toReversed().slice(before) as Record<string, unknown>[];
  expect(
    log.map(({ actor, action, subject, details }) =>
      [
        String(actor).replace(boss.email, '<boss>'),
        action,
        names[String(subject)] ?? '<session>',
        JSON.stringify(details).replace(boss.email, '<boss>'),
      ].join(' '),
    ),
  ).toMatchInlineSnapshot(`
    [
      "admin:<boss> admin.add <bob> {"email":"bob@garage.example","role":"admin"}",
      "admin:<boss> admin.link <bob> {"email":"bob@garage.example"}",
      "admin:bob@garage.example password.set <bob> {"linkBy":"admin:<boss>"}",
      "admin:bob@garage.example session.start <session> {"device":"Another browser","address":"127.0.0.1","linkBy":"admin:<boss>"}",
      "admin:<boss> screen.add <gate> {"name":"Gate"}",
      "screen:Gate session.start <session> {"device":"Another browser","address":"127.0.0.1","linkBy":"admin:<boss>"}",
      "admin:bob@garage.example session.start <session> {"device":"Another browser","address":"127.0.0.1"}",
      "admin:bob@garage.example password.set <bob> null",
      "admin:bob@garage.example session.end <session> null",
      "admin:<boss> screen.end <gate> {"name":"Gate"}",
      "admin:<boss> admin.remove <bob> {"email":"bob@garage.example"}",
    ]
  `);
});
