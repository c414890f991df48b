/** What a create cannot do without, and how it asks for it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import { openTerminal } from '../../helpers/terminal.ts';
import { answerEach } from '../commands/counter/counter.ts';

const service = await testService();
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };

describe('one of several fields is enough', () => {
  const id = '01a1fff0-0eed-7072-b3f3-3a12da709040';
  test.each([
    [
      ['customers', 'create', '--notes', 'x', '--dry-run'],
      'Missing required flag: --first-name, --last-name, --company-name, --email or --phone.',
    ],
    [
      ['social-events', 'invites', 'create', id],
      'Missing required flag: --customer, --contact, --email or --phone.',
    ],
    [['parking', 'assignments', 'create', '--car', id], 'Missing required flag: --spot or --zone.'],
  ])('a script gets their flags before any request: %j', async (line, message) => {
    const { code, error } = await cs(line, {
      env: { CS_BASE_URL: 'http://127.0.0.1:9', CS_API_KEY: 'csk_a.b' },
    });
    expect([code, error.message]).toEqual([2, message]);
  });

  test('a terminal asks for the last one if none was given', async () => {
    const terminal = openTerminal(['customers', 'create'], { env });
    for (const label of ['First name', 'Last name', 'Company', 'Phone']) {
      await terminal.waitFor(`? ${label}`);
      terminal.press('enter');
    }
    await terminal.waitFor(/^\? E-mail +needed without a name and a phone number/m);
    terminal.press('enter');
    await terminal.waitFor('E-mail is required.');
    terminal.type('lee@example.com\r');
    await terminal.waitFor('? Store this customer? (Y/n)');
    terminal.press('enter');
    await terminal.waitFor('created');
    expect(await terminal.exited).toBe(0);
  });

  test('with --yes a terminal asks which one is known', async () => {
    const terminal = openTerminal(['customers', 'create', '--yes'], { env });
    await terminal.waitFor('Identify by');
    terminal.press('down');
    terminal.type('\r');
    await terminal.waitFor(/^\? Last name/m);
    terminal.type('Lee\r');
    await terminal.waitFor('created');
    expect(await terminal.exited).toBe(0);
  });
});

test('a dry run asks on a terminal too, shows the request, and stores nothing', async () => {
  const stored = async () => (await service.call('GET', '/customers?limit=1')).body.total;
  const before = await stored();
  const terminal = openTerminal(['customers', 'create', '--notes', 'x', '--dry-run'], { env });
  const answers = { 'First name': 'Bo', 'Last name': 'Ek', Company: '', Phone: '1' };
  await answerEach(terminal, { ...answers, 'E-mail': '' });
  expect(await terminal.exited).toBe(0);
  const screen = terminal.screen();
  for (const text of ['POST /api/v1/customers', '"firstName": "Bo"', '"notes": "x"'])
    expect(screen).toContain(text);
  expect(screen).not.toContain('Store this');
  expect(await stored()).toBe(before);
});

describe('an event type that parks the car', () => {
  let car: string;
  beforeAll(async () => {
    car = (await facility(service).car({ nickname: 'Topolina' })).id;
  });

  test('needs a place, by its value and by its name', async () => {
    for (const type of ['drop_off', 'Drop-off']) {
      const { code, error } = await cs(['cars', 'events', 'log', car, '--type', type], { env });
      expect([code, error.code]).toEqual([3, 'parking_required']);
    }
  });

  test('and takes a zone', async () => {
    const make = facility(service);
    const { id } = await make.zone((await make.location()).id, { name: 'Yard' });
    const line = ['cars', 'events', 'log', car, '--type', 'drop_off', '--zone', 'yard'];
    expect((await cs(line, { env })).json).toMatchObject({ parkingZoneId: id });
  });
});
