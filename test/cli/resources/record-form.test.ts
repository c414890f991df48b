/** The question for one record of a list that the server doesn't search. */
import { expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../../src/contract/scopes.ts';
import { facility } from '../../helpers/facility.ts';
import { json, problem } from '../../helpers/misbehaving-server.ts';
import { startSampleServer } from '../../helpers/sample-server.ts';
import { testService } from '../../helpers/service.ts';
import { openTerminal } from '../../helpers/terminal.ts';
import { answer, answerEach } from '../commands/counter/counter.ts';

const service = await testService();
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const make = facility(service);
const oldest = await make.location({ name: 'Oldest Yard' });
await make.zone(oldest.id, { name: 'Hall' });
for (let at = 1; at <= 204; at += 1) await make.location({ name: `Site ${at}` });
await make.location({ name: 'Latest Yard' });

test.each(['oldest', 'latest', 'ol'])(
  'a name is looked up in all of more records than a page has: %s',
  async (typed) => {
    const terminal = openTerminal(
      ['parking', 'spots', 'create', '--name', 'P1', '--kind', 'standard'],
      { env },
    );
    await terminal.waitFor(/\? Location[\s\S]*… and 19\d more/);
    terminal.type(typed);
    await terminal.waitFor(typed === 'latest' ? '❯ Latest Yard' : '❯ Oldest Yard');
    terminal.press('enter');
    // The other one has no zone to choose.
    await terminal.waitFor(typed === 'latest' ? '? Store this' : '? Zone');
    terminal.press('ctrl-c');
    expect(await terminal.exited).toBe(130);
  },
);

test('a refusal asks again for the answer that it names; without a server the answers become a command', async () => {
  const server = await startSampleServer();
  onTestFinished(() => server.close());
  server.change = (record) => ('scopes' in record ? { ...record, scopes } : record);
  const terminal = openTerminal(
    [
      ...['customers', 'create', '--external-id', 'e 1', '--status', 'inactive'],
      ...['--tags', 'vip,club', '--email-opt-out', '--no-sms-opt-out'],
    ],
    { env: { CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b', CS_RETRIES: '0' } },
  );
  const behaviours = [
    json(422, { error: 'Taken', code: 'duplicate', details: { field: 'email' } }),
    problem(503, 'unavailable', { 'retry-after': '0' }),
  ];
  server.instead = ({ method }) => (method === 'POST' ? behaviours.shift() : undefined);
  const answers = { 'First name': 'Bo', 'Last name': 'Ek', Company: '', Phone: '1' };
  await answerEach(terminal, { ...answers, 'E-mail': 'bo@a.de' });
  await answer(terminal, '? Store this customer? (Y/n)');
  await answer(terminal, '? E-mail', 'v');
  await answer(terminal, '? Store this customer? (Y/n)');
  await answer(terminal, 'Your answers are kept.', 'l');
  expect(await terminal.exited).toBe(10);
  expect(terminal.screen()).toContain(`
✓ Store this customer? Yes
Taken.
✓ E-mail     bo@a.dev

  Name          Bo Ek
  Phone         1
  E-mail        bo@a.dev
  Status        inactive
  Email opt out yes
  Sms opt out   no
  Tags          vip, club
  External ID   e 1

✓ Store this customer? Yes
It is unavailable. Your answers are kept.
✓ What now? Leave
error: It is unavailable. Nothing was stored.
hint: go on later with
      \`cs customers create --status inactive --email-opt-out --no-sms-opt-out --
tags vip --tags club --external-id 'e 1' --first-name Bo --last-name Ek --phone${' '}
1 --email bo@a.dev\`
(unavailable)`);
});
