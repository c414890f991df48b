/** What a flag of `update` may not say, which is refused before any request; and answers that don't show what was sent. */
import { describe, expect, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { json, startMisbehavingServer } from '../../helpers/misbehaving-server.ts';

const env = { CS_BASE_URL: 'http://127.0.0.1:9', CS_API_KEY: 'csk_a.b' };
const id = '01a1fff0-0eed-7072-b3f3-3a12da709040';
const update = (...flags: string[]) => cs(['cars', 'update', id, ...flags], { env });

describe('--clear', () => {
  test.each([
    [['--clear', 'nickname', '--nickname', 'Greta'], 'nickname'],
    [['--clear', 'trim,customer', '--customer', id], 'customer'],
    [['--clear', 'customerId', '--input', `{"customerId":"${id}"}`], 'customerId'],
  ])('with a value for the same field, %j, is refused', async (flags, name) => {
    const { code, error } = await update(...flags);
    expect([code, error.message]).toEqual([
      2,
      `--clear ${name} and a value for it can't be used together.`,
    ]);
  });

  test('with a flag for the same field is refused before a name is looked up', async () => {
    const { code, error } = await cs(
      ['cars', 'update', 'Greta', '--clear', 'color', '--color', 'red'],
      { env },
    );
    expect([code, error.message]).toEqual([
      2,
      "--clear color and a value for it can't be used together.",
    ]);
  });

  test.each(['make', 'id', 'createdAt', 'licence', 'toString'])(
    'of %s, which has a value in every car or in none, is refused',
    async (name) => {
      const { code, stdout, error } = await update('--clear', name);
      expect([code, stdout, error.message]).toEqual([
        2,
        '',
        `"${name}" (--clear) isn't a field that can be empty.`,
      ]);
      expect(error.hint).toMatch(/^valid: .*\bnickname\b/);
    },
  );

  test('with other fields goes into one request', async () => {
    const { json } = await update('--clear', 'nickname', '--notes', 'x', '--dry-run');
    expect(json.body).toEqual({ notes: 'x', nickname: null });
  });
});

test.each([
  ['--customer', 'customer'],
  ['--vin', 'vin'],
  ['--nickname', 'nickname'],
])('an empty %s names --clear', async (flag, name) => {
  const { code, error } = await update(flag, '');
  expect([code, error.message, error.hint]).toEqual([
    2,
    `${flag} is empty.`,
    `to empty the field, write --clear ${name}`,
  ]);
});

describe('an answer with 200', () => {
  async function updateOn(answered: object, flags: readonly string[]) {
    const server = await startMisbehavingServer([json(200, { data: { id, ...answered } })]);
    try {
      return await cs(['parking', 'assignments', 'update', id, ...flags], {
        env: { ...env, CS_BASE_URL: server.url },
      });
    } finally {
      await server.close();
    }
  }

  test('with null in place of the value: not done', async () => {
    const { code, error } = await updateOn({ endedAt: null }, [
      '--ended-at',
      '2026-05-05T09:00:00Z',
    ]);
    expect([code, error.code]).toEqual([9, 'unexpected_answer']);
    expect(error.message).toContain(`isn't as it was sent: "endedAt" is null`);
  });

  test.each([
    [
      { notes: 'x' },
      ['--ended-at', 'now', '--notes', 'x'],
      'endedAt, or shows it otherwise than sent: check whether it was stored.',
    ],
    [
      {},
      ['--ended-at', 'now', '--notes', 'x'],
      'endedAt and notes, or shows them otherwise than sent: check whether they were stored.',
    ],
  ])('that does not show a field, %j: a warning', async (answered, flags, says) => {
    const { code, stderr } = await updateOn(answered, flags);
    expect([code, stderr]).toEqual([0, `The server's answer doesn't show ${says}\n`]);
  });

  test('that shows the fields, and those that were emptied: none', async () => {
    const shown = { endedAt: '2026-05-05T09:00:00Z', notes: null };
    expect(
      await updateOn(shown, ['--ended-at', '2026-05-05T11:00:00+02:00', '--clear', 'notes']),
    ).toMatchObject({ code: 0, stderr: '' });
  });
});
