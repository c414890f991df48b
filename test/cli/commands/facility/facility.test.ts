/** `cs facility`: a facility as a file, from one server to another, twice, with drift, and on the second server. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { kinds } from '../../../../src/cli/commands/facility/plan.ts';
import { contract } from '../../../../src/contract/contract.ts';
import type { Resource } from '../../../../src/contract/resource.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { openOther } from '../../../helpers/other-facility.ts';
import { resultViolations } from '../../../helpers/result-schema.ts';
import { startTestService } from '../../../helpers/service.ts';
import { openTerminal } from '../../../helpers/terminal.ts';

const service = await startTestService();
const folder = await makeFolder();
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const make = facility(service);
const main = await make.location({ name: 'Main', timezone: 'Europe/Berlin', notes: '"9:30"\n#' });
const hall = await make.zone(main.id, { name: 'Hall', capacity: 3 });
for (const name of ['A10', 'A2']) await make.spot(main.id, { name, zoneId: hall.id });
await make.spot(main.id, { name: '7', kind: 'lift' });
await make.location({ name: 'Closed', isActive: false });
const form = { name: 'Intake', status: 'published' };
const fields = [{ key: 'keys', label: 'Keys', type: 'number' }];
await service.call('POST', '/marketing/forms', { ...form, fields });
const template = { name: 'Hi', channel: 'email', subject: 'Yes', body: 'One\n\ntwo: {{x}}' };
await service.call('POST', '/marketing/templates', template);
afterAll(async () => {
  await removeFolder(folder);
  await service.close();
});

const run = (argv: readonly string[], options: CliOptions = {}) =>
  cs(['facility', ...argv], { env, cwd: folder, ...options });
const save = (text: string) => writeFile(join(folder, 'facility.yaml'), text);
const lines = ({ json }: { json: { change: string; name: string }[] }) =>
  json.map(({ change, name }) => `${change} ${name}`);

test('an export fills another team, and applied again it changes nothing', async () => {
  const exported = await run(['export']);
  expect([exported.code, exported.stderr]).toEqual([0, '']);
  expect(exported.stdout).toContain('          - { name: A2, kind: standard, notes: null }\n');
  expect((await run(['export', '-o', 'yaml'])).stdout).toBe(exported.stdout);
  await save(exported.stdout);
  const other = await service.newTeam();
  const there = { env: { ...env, CS_API_KEY: other.key } };
  const planned = await run(['plan', 'facility.yaml', '--exit-code'], there);
  expect([planned.code, lines(planned)]).toEqual([
    12,
    [
      'create Main',
      'create Main / Hall',
      'create Main / A2',
      'create Main / A10',
      'create Main / 7',
    ].concat(['create Hi (email)', 'create Intake']),
  ]);
  expect(await resultViolations('facility plan', planned.json)).toEqual([]);
  const applied = await run(['apply', 'facility.yaml', '--yes'], there);
  expect([applied.code, applied.json.length]).toEqual([0, 7]);
  expect(await resultViolations('facility apply', applied.json)).toEqual([]);
  const again = await run(['apply', 'facility.yaml', '--yes', '--exit-code'], there);
  expect([again.code, again.json]).toEqual([0, []]);
  expect((await run(['export'], there)).stdout).toBe(exported.stdout);
  const none = ['locations: []', 'forms: []', 'templates: []'].join('\n');
  const prune = ['apply', '-', '--prune', '--confirm', '3'];
  const emptied = await run(prune, { ...there, stdin: none });
  expect(lines(emptied)).toEqual(['remove Intake', 'remove Hi (email)', 'remove Main']);
  const left = await run(['apply', '-', '--prune', '--yes'], { ...there, stdin: none });
  expect([left.code, left.json]).toEqual([0, []]);
  expect((await run(['export'], there)).stdout).not.toMatch(/name:/);
});

test('every kind of record that can be made is in a file, but for these', () => {
  const made = Object.values<Resource>(contract).filter(({ operations }) => operations.create);
  const inFile: readonly string[] = kinds;
  expect(made.map(({ name }) => name).filter((name) => !inFile.includes(name))).toEqual([
    ...['cars', 'carEvents', 'carPhotos', 'appointments', 'customers', 'contacts'],
    ...['parkingAssignments', 'threads', 'messages', 'campaigns', 'campaignAudiences'],
    ...['campaignSteps', 'socialEvents', 'rsvpOptions', 'invites', 'rsvps', 'assets'],
    ...['assetFolders', 'formSubmissions', 'socialAccounts', 'socialPosts'],
  ]);
});

test('drift is exit 12, and only --prune with the number removes', async () => {
  const exported = (await run(['export'])).stdout;
  await save(exported.replace(/ *- \{ name: A10.*\n/, '').replace('capacity: 3', 'capacity: 4'));
  const planned = await run(['plan', 'facility.yaml', '--exit-code']);
  expect([planned.code, planned.json, planned.stderr]).toEqual([
    12,
    [expect.objectContaining({ name: 'Main / Hall', fields: { capacity: { from: 3, to: 4 } } })],
    expect.stringContaining('Not in the file: 1 record. --prune removes them.'),
  ]);
  await save(exported.replace(/ *- \{ name: A10.*\n/, ''));
  const more = await run(['plan', 'facility.yaml', '--exit-code']);
  expect([more.code, more.json], 'a record that the file lacks').toEqual([12, []]);
  await save(exported.replace(/ *- \{ name: A10.*\n/, '').replace('capacity: 3', 'capacity: 4'));
  const wrong = await run(['apply', 'facility.yaml', '--prune', '--confirm', '2']);
  expect([wrong.code, wrong.stdout]).toEqual([2, '']);
  const terminal = openTerminal(['facility', 'apply', 'facility.yaml', '--prune'], {
    env,
    cwd: folder,
  });
  await terminal.waitFor('Type 1 to confirm');
  expect(terminal.screen()).toContain('~ parking zone Main / Hall (capacity: 3 -> 4)');
  expect(terminal.screen()).toContain('- parking spot Main / A10');
  terminal.type('1');
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
  const { json } = await cs(['parking', 'spots', 'list', '--no-is-active'], { env });
  expect(json.map(({ name }: { name: string }) => name)).toEqual(['A10']);
  await save(exported);
  expect(lines(await run(['apply', 'facility.yaml', '--yes']))).toEqual([
    'update Main / Hall',
    'update Main / A10',
  ]);
});

test('a text that is no facility is refused', async () => {
  for (const stdin of ['a: [', '[]', '', 'locations: !!x []'])
    expect((await run(['plan', '-'], { stdin })).code).toBe(3);
});

test('what a file finds by name must be one record', async () => {
  const template = { name: 'Hi', channel: 'email', body: 'Again' };
  const { body } = await service.call('POST', '/marketing/templates', template);
  const { id } = body.data;
  const [exported, planned] = [
    await run(['export']),
    await run(['plan', '-'], { stdin: 'templates: []' }),
  ];
  for (const { code, stdout, error } of [exported, planned])
    expect([code, stdout, error.message, error.hint]).toEqual([
      ...[
        14,
        '',
        expect.stringMatching(/^Two templates are called Hi \(email\): .* A file finds /),
      ],
      'rename one of them, or leave the section out',
    ]);
  expect(exported.error.message).toContain(id);
  await service.call('DELETE', `/marketing/templates/${id}`);
});

test('on a server that knows the specification alone', async () => {
  const other = await openOther();
  const there = { env: other.env, now: other.now };
  try {
    const exported = await run(['export'], there);
    expect([exported.code, exported.stderr]).toEqual([0, '']);
    await save(
      `${exported.stdout.replace('locations:', 'locations:\n  - { name: New, spots: [B1] }')}`,
    );
    const applied = await run(['apply', 'facility.yaml', '--yes'], there);
    expect([applied.code, lines(applied)]).toEqual([0, ['create New', 'create New / B1']]);
    expect(other.writes()).toEqual([
      'POST /locations {"name":"New"}',
      expect.stringMatching(/^POST \/parking\/spots \{"name":"B1","locationId":/),
    ]);
    other.server.writes.length = 0;
    const again = await run(['apply', 'facility.yaml', '--yes'], there);
    expect([again.code, again.json, other.writes()]).toEqual([0, [], []]);
    other.hide('/parking/spots', 'kind');
    await save('locations: [{ name: New, spots: [{ name: B1, kind: lift }] }]');
    const untold = await run(['apply', 'facility.yaml', '--yes'], there);
    expect([untold.code, other.writes()]).toEqual([9, []]);
    const untellable = (what: string) => ({
      message: `The server doesn't tell ${what}, so they can't be compared with a file.`,
      hint: 'leave the field or the section out; `cs doctor` shows what this server lacks',
    });
    expect(untold.error).toMatchObject(untellable('kind of all parking spots'));
    other.hide('/parking/zones', 'name');
    const unnamed = await run(['plan', 'facility.yaml'], there);
    expect(unnamed.error).toMatchObject(untellable('name and place of all parking zones'));
  } finally {
    await other.close();
  }
});
