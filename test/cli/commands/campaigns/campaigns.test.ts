/** `cs campaigns`, against the real service. */
import { describe, expect, test } from 'vitest';
import { campaignView } from '../../../../src/cli/commands/campaigns/views.ts';
import { campaignsOf } from '../../../helpers/campaigns.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { type Facility, facility } from '../../../helpers/facility.ts';
import { json, startMisbehavingServer } from '../../../helpers/misbehaving-server.ts';
import { testService } from '../../../helpers/service.ts';
import { openTerminal } from '../../../helpers/terminal.ts';

const service = await testService();
const of = campaignsOf(service);
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const peopleOf = ({ customer }: Facility) =>
  Promise.all(
    ['Ann', 'Bea', 'Cem'].map((firstName) =>
      customer({ firstName, lastName: 'Lee', email: `${firstName}@example.com`.toLowerCase() }),
    ),
  );
const people = await peopleOf(facility(service));

const run = (line: readonly string[], options: CliOptions = {}) =>
  cs(['campaigns', ...line], { env, ...options });
const ids = (count: number) => people.slice(0, count).map(({ id }) => id);
const statusOf = async (id: string) => (await of.read(id)).status;

describe('audiences', () => {
  test('flags become the filter, names become ids', async () => {
    // Everybody is counted, so they are a team of their own.
    const here = await service.newTeam();
    const env = { CS_BASE_URL: service.url, CS_API_KEY: here.key };
    const make = facility(here);
    const [ann, bea] = await peopleOf(make);
    const main = await make.location({ name: 'Main' });
    const { name } = await campaignsOf(here).campaign();
    const parts = '--customer-status active,lead --tags vip --tags club --location Main';
    const named = ['--name', 'All parts', '--customers', 'Ann Lee,Bea Lee'];
    const made = await run(['audiences', 'create', name, ...parts.split(' '), ...named], { env });
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.json.filter).toEqual({
      customerStatus: ['active', 'lead'],
      tags: ['vip', 'club'],
      locationId: main.id,
      customerIds: [ann?.id, bea?.id],
    });
    const everybody = await run(['audiences', 'create', name, '--name', 'Everybody'], {
      as: 'terminal',
      env,
    });
    expect(everybody.stdout).toMatch(/^audience created {2}Everybody · 3 addresses\n$/);
    expect(
      (await run(['audiences', 'list', name], { as: 'terminal', columns: 150, env })).stdout,
    ).toMatch(
      /Everybody +everyone +3 .*\nAll parts +active, lead · vip, club · a car at one location · 2 customers +0 /,
    );
  });

  test('a change gives the whole filter, or leaves it', async () => {
    const { name, id } = await of.campaign();
    await of.audience(id, { name: 'Some', filter: { tags: ['vip'], customerIds: ids(1) } });
    const update = ['audiences', 'update', name, 'Some'];
    expect((await run([...update, '--name', 'Renamed'])).json).toMatchObject({
      filter: { tags: ['vip'], customerIds: ids(1) },
    });
    const input = ['--input', '{"filter":{"customerStatus":["active"]}}'];
    expect((await run(['audiences', 'update', name, 'Renamed', ...input])).json.filter).toEqual({
      customerStatus: ['active'],
      tags: [],
      locationId: null,
      customerIds: [],
    });
    expect((await run([...update, '--tags', 'vip'])).code).toBe(2);
  });
});

describe('send', () => {
  test.each(['2', 'its name'])('%s sends it, and prints the next commands', async (confirm) => {
    const campaign = await of.ready(ids(2));
    const given = confirm === '2' ? confirm : campaign.name.toUpperCase();
    const done = await run(['send', campaign.name, '--confirm', given]);
    expect(done.code).toBe(0);
    expect(done.json).toMatchObject({ id: campaign.id, status: 'sending' });
    expect(done.stderr).toBe(
      `Progress: \`cs campaigns get '${campaign.name}'\`\nFailed sends: \`cs campaigns sends list '${campaign.name}' --status failed\`\n`,
    );
    await of.becomes(campaign.id, { stats: { recipients: 2 } });
    const sends = await run(['sends', 'list', campaign.name, '--status', 'queued']);
    expect(sends.json.map(({ recipient }: { recipient: string }) => recipient).sort()).toEqual([
      'ann@example.com',
      'bea@example.com',
    ]);
  });

  test('a terminal shows the recipients, and any answer but the count or the name declines', async () => {
    const campaign = await of.ready(ids(3));
    const question = `Send ${campaign.name} to 3 addresses? Type 3 to confirm:`;
    const declined = openTerminal(['campaigns', 'send', campaign.name], { env });
    const screen = await declined.waitFor(question);
    expect(screen).toMatch(
      /Reaches +3 addresses\n +Sends +1\. Subject \d+ \(immediately\)\n +Starts +now/,
    );
    declined.type('yes');
    declined.press('enter');
    expect(await declined.exited).toBe(13);
    expect(await statusOf(campaign.id)).toBe('draft');
    const agreed = openTerminal(['campaigns', 'send', campaign.name, '-q'], { env });
    expect(await agreed.waitFor(question)).not.toContain('Reaches');
    agreed.type('3');
    agreed.press('enter');
    expect(await agreed.exited).toBe(0);
    await of.becomes(campaign.id, { stats: { recipients: 3 } });
  });
});

describe('recipients', () => {
  test('are counted again, so that the confirmed number is current', async () => {
    const campaign = await of.campaign();
    await of.audience(campaign.id, { filter: { tags: ['newcomers'] } });
    await of.step(campaign.id);
    await facility(service).customer({
      firstName: 'Dee',
      email: 'dee@example.com',
      tags: ['newcomers'],
    });
    const stale = await run(['send', campaign.name, '--confirm', '0']);
    expect([stale.code, stale.error.message]).toEqual([
      2,
      "--confirm 0 doesn't match: expected 1. Nothing was done.",
    ]);
    expect((await run(['send', campaign.name, '--confirm', '1'])).json.status).toBe('sending');
  });

  test("a dry run shows the number, and fails if the campaign can't start", async () => {
    const campaign = await of.ready(ids(2));
    const { stderr } = await run(['send', campaign.name, '--dry-run', '-v']);
    expect(stderr).toContain(`Send ${campaign.name} to 2 addresses?`);
    expect(stderr).not.toMatch(/^\* (POST|PATCH|DELETE) /m);
    const { name } = await of.campaign();
    for (const line of [
      ['send', name],
      ['schedule', name, '--at', 'in 2 days'],
    ]) {
      const planned = await run([...line, '--dry-run']);
      expect([planned.code, planned.stdout]).toEqual([3, '']);
    }
  });
});

test('delivered messages are among those that were sent', () => {
  const sent = campaignView.columns.find(({ header }) => header === 'sent');
  expect(sent?.cell({ stats: { sent: 2, delivered: 3 } }, {} as never)).toBe(5);
});

describe('no other command starts a campaign', () => {
  const status = '{"status":"sending"}';
  /** ID is that of the campaign. */
  test.each([
    ['campaigns update ID --status sending', ''],
    ['campaigns update ID --status sending --dry-run', ''],
    ['campaigns update ID --name Renamed --status scheduled --scheduled-at 2090-06-01', ''],
    [
      'import campaigns - --update',
      '{"name":"New","channel":"email"}\n{"id":"ID","status":"sending"}\n',
    ],
    ['import campaigns - --update --rejects rejects', '{"id":"ID","status":"sending"}\n{}\n'],
    ['api PATCH /cars/../marketing/c%61mpaigns/ID/ -f status=sending', ''],
    ['api PATCH /marketing/campaigns/ID --input -', status],
  ])('%s', async (line, stdin) => {
    const campaign = await of.ready(ids(1));
    const id = line.includes('%61') ? campaign.id.toUpperCase() : campaign.id;
    const { code, error, stdout } = await cs(line.replace('ID', id).split(' '), {
      env,
      ...(stdin && { stdin: stdin.replace('ID', id) }),
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(error.message).toContain('This would start or schedule a campaign');
    expect(error.hint).toContain('cs campaigns send');
    expect(await of.read(campaign.id)).toMatchObject({ status: 'draft', name: campaign.name });
  });

  test('nor changes the time of a scheduled one; back to a draft is free', async () => {
    const { id } = await of.ready(ids(1));
    const [early, late] = ['2090-06-01T08:00:00.000Z', '2090-06-02T08:00:00.000Z'];
    expect((await run(['schedule', id, '--at', late, '--confirm', '1'])).code).toBe(0);
    for (const more of [[], ['--status', 'scheduled']])
      expect((await run(['update', id, '--scheduled-at', early, ...more])).code).toBe(2);
    expect(await of.read(id)).toMatchObject({ status: 'scheduled', scheduledAt: late });
    expect(
      (await run(['update', id, '--scheduled-at', early, '--status', 'draft'])).json.status,
    ).toBe('draft');
  });
});

describe('several at once', () => {
  test('the piped ids of a list; the count is the sum', async () => {
    const [one, two] = [await of.ready(ids(2)), await of.ready(ids(1))];
    const stdin = `${one.id}\n${two.id}\n`;
    const send = ['send', '--ids', '-'];
    expect((await run(send, { stdin })).error.message).toBe(
      'Send 2 campaigns to 3 addresses: confirmation required.',
    );
    expect((await run([...send, '--confirm', one.name], { stdin })).code).toBe(2);
    expect((await run([...send, '--dry-run'], { stdin })).json).toMatchObject([
      { method: 'PATCH' },
      { method: 'PATCH' },
    ]);
    expect(
      (await run([...send, '--confirm', '3'], { stdin })).json.map(
        ({ status }: { status: string }) => status,
      ),
    ).toEqual(['sending', 'sending']);
    expect((await run(['cancel', '--ids', '-'], { stdin })).error.message).toBe(
      'Cancel 2 campaigns permanently: confirmation required.',
    );
    await of.set(two.id, 'cancelled');
    const paused = await run(['pause', '--ids', '-'], { stdin });
    expect(paused.code).toBe(11);
    expect(paused.json).toMatchObject([
      { status: 'paused' },
      { id: two.id, error: { code: 'invalid_transition' } },
    ]);
  });
});

describe('schedule', () => {
  test('a terminal asks for a time, which must be in the future', async () => {
    const { id, name } = await of.ready(ids(1));
    const terminal = openTerminal(['campaigns', 'schedule', name], { env });
    await terminal.waitFor('? Starts at');
    terminal.type('2020-06-01 9:00\r');
    await terminal.waitFor('"2020-06-01 9:00" is in the past');
    terminal.press('ctrl-u');
    terminal.type('2090-06-01T08:00:00Z\r');
    await terminal.waitFor(/to 1 address\?\s+Type\s+1\s+to\s+confirm/);
    terminal.type('1\r');
    expect(await terminal.exited).toBe(0);
    const scheduledAt = '2090-06-01T08:00:00.000Z';
    expect(await of.read(id)).toMatchObject({ status: 'scheduled', scheduledAt });
  });

  test('sets a future time, and then another one', async () => {
    const campaign = await of.ready(ids(1));
    const line = ['schedule', campaign.name, '--confirm', '1'];
    const first = await run([...line, '--at', '2090-06-01T08:00:00Z']);
    expect(first.json).toMatchObject({
      status: 'scheduled',
      scheduledAt: '2090-06-01T08:00:00.000Z',
    });
    expect((await run([...line, '--at', '2090-06-02T08:00:00Z'])).json.scheduledAt).toBe(
      '2090-06-02T08:00:00.000Z',
    );
    expect((await run(['send', campaign.name, '--dry-run'])).code).toBe(7);
  });
});

describe('pause, resume, cancel', () => {
  test('a state that the specification does not have is left to the server', async () => {
    const { id } = await of.campaign();
    const server = await startMisbehavingServer(({ method }) =>
      json(200, { data: { id, status: method === 'PATCH' ? 'paused' : 'waiting' } }),
    );
    const { code } = await run(['pause', id], { env: { ...env, CS_BASE_URL: server.url } });
    await server.close();
    expect([code, server.requests.at(-1)?.method]).toEqual([0, 'PATCH']);
  });

  test('a campaign can be paused while it is sent, and resumed', async () => {
    const campaign = await of.ready(ids(2));
    expect((await run(['pause', campaign.name])).code).toBe(7);
    await of.set(campaign.id, 'sending');
    await of.becomes(campaign.id, { stats: { queued: 2 } });
    expect((await run(['pause', campaign.name])).json.status).toBe('paused');
    const { error } = await run(['resume', campaign.name]);
    expect(error.message).toBe(`Resume ${campaign.name} to 2 addresses: confirmation required.`);
    expect((await run(['resume', campaign.name, '--confirm', '2'])).json.status).toBe('sending');
  });
});
