/** `cs threads messages send`, against the real service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordFor } from '../../../../src/contract/contract.ts';
import type { LetterBox } from '../../../helpers/campaigns.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { type Facility, facility } from '../../../helpers/facility.ts';
import { startTestService, type TestService } from '../../../helpers/service.ts';
import { openTerminal } from '../../../helpers/terminal.ts';

interface Office {
  readonly service: TestService;
  readonly make: Facility;
  readonly thread: RecordFor<'threads'>;
  readonly env: Record<string, string>;
  send(line: readonly string[], options?: CliOptions): ReturnType<typeof cs>;
}

/** A service with a thread called Tyres, and what carries its messages. */
async function openOffice(transport?: LetterBox): Promise<Office> {
  const service = await startTestService({ transport });
  const make = facility(service);
  const ada = await make.customer({ firstName: 'Ada', email: 'ada@example.com' });
  const thread = await make.thread({ subject: 'Tyres', customerId: ada.id });
  const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
  return {
    service,
    make,
    thread,
    env,
    send: (line, options) => cs(['threads', 'messages', 'send', ...line], { env, ...options }),
  };
}

describe('without a mail server', () => {
  let office: Office;
  beforeAll(async () => {
    office = await openOffice();
  });
  afterAll(() => office.service.close());
  const stored = async () =>
    (await office.make.read(
      `/communications/threads/${office.thread.id}/messages`,
    )) as RecordFor<'messages'>[];

  test('the same --idempotency-key sends once, and --dry-run never', async () => {
    const before = (await stored()).length;
    const line = ['Tyres', '--body', 'Once.', '--idempotency-key', 'once'];
    const [first, second] = [await office.send(line), await office.send(line)];
    expect(second.json.id).toBe(first.json.id);
    expect((await office.send(['Tyres', '--body', 'Never.', '-n'])).code).toBe(0);
    expect(await stored()).toHaveLength(before + 1);
  });

  test('an internal thread sends nothing', async () => {
    await office.make.thread({ channel: 'internal', subject: 'Gate code' });
    const { code, error } = await office.send(['gate code', '--body', '1234']);
    expect([code, error.code]).toEqual([3, 'validation_failed']);
    expect(error.details.issues).toMatchObject([{ path: 'direction' }]);
    expect((await office.send(['Gate code', '--body', '1234', '--note'])).code).toBe(0);
  });

  test('reports a recipient without an address', async () => {
    await office.make.thread({ subject: 'Nobody' });
    expect((await office.send(['Nobody', '--body', 'Hello?'])).error).toMatchObject({
      code: 'recipient_missing',
      exitCode: 3,
    });
  });

  test('a terminal prompts for the text', async () => {
    const terminal = openTerminal(['threads', 'messages', 'send', 'Tyres'], { env: office.env });
    await terminal.waitFor('? Text');
    terminal.press('enter');
    await terminal.waitFor('Enter a text.');
    terminal.type('Typed here.');
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain('message queued  outbound');
    expect((await stored()).map(({ body }) => body)).toContain('Typed here.');
  });
});
