/** The question for one record of a list that the server doesn't search. */
import { expect, test } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import { openTerminal } from '../../helpers/terminal.ts';

const service = await testService();
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const make = facility(service);
await make.location({ name: 'Oldest Yard' });
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
    terminal.press('ctrl-c');
    expect(await terminal.exited).toBe(130);
  },
);
