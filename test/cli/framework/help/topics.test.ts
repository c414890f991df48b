import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serviceVariables } from '../../../../src/cli/config/setting-list.ts';
import { exitCodes } from '../../../../src/cli/errors/codes.ts';
import {
  lines,
  page,
  renderPage,
  rows,
  section,
} from '../../../../src/cli/framework/help/topics/page.ts';
import { topics } from '../../../../src/cli/framework/help/topics.ts';
import { cs } from '../../../helpers/cli.ts';
import { offenders } from '../../../helpers/offenders.ts';

const text = (name: string, width = 10_000) => renderPage(topics[name]?.parts() ?? [], width);

const words = (page: string) => page.replace(/\s+/g, ' ').trim();

test('each fits a terminal, except lines to copy, is printed by cs help, and listed', async () => {
  const { stdout: list } = await cs(['--help']);
  const all = Object.entries(topics).map(([name, { summary }]) => ({ name, summary }));
  const found = await offenders(all, async ({ name, summary }) => {
    const long = text(name, 80)
      .split('\n')
      .filter((line) => line.length > 80);
    expect(long.filter((line) => !line.startsWith('    '))).toEqual([]);
    expect(words(text(name, 40))).toBe(words(text(name)));
    const { code, stdout } = await cs(['help', name]);
    expect([code, words(stdout)]).toEqual([0, words(text(name))]);
    expect(list).toMatch(new RegExp(`^  ${name} +${summary}`, 'm'));
  });
  expect(found).toEqual([]);
});

test('lists every variable of the command, and no other', () => {
  const root = join(import.meta.dirname, '../../../../src');
  const read = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('cli/framework/help/topics'))
    .flatMap(
      (name) =>
        readFileSync(join(root, name), 'utf8').match(
          /\bCS_[A-Z_]+\b|(?<=\benv\??\.)[A-Z][A-Z_]+\b|\bXDG_[A-Z_]+\b/g,
        ) ?? [],
    )
    // Set for the commands of `cs watch --exec`, whose help lists them.
    .filter((name) => !name.startsWith('CS_CHANGE_'))
    // Between a live view and the command that it starts.
    .filter((name) => name !== 'CS_LEAVES_ON_ESCAPE')
    // The beginning of those for each event type.
    .filter((name) => name !== 'CS_PHOTOS_');
  // Read by what sends requests.
  const proxies = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];
  // Of S3 stores and of systemd, read by a name in a text.
  const shared = ['REGION', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY', 'SESSION_TOKEN'];
  const files = serviceVariables.filter(({ variable }) => variable.endsWith('_FILE'));
  const others = [
    ...files.map(({ variable }) => variable),
    ...proxies,
    ...shared.map((name) => `AWS_${name}`),
    'CREDENTIALS_DIRECTORY',
  ];
  const told =
    text('environment').match(/\b[A-Z]+(_[A-Z]+)+\b|^ {2}[A-Z]+\b|(?<=, )[A-Z]+\b/gm) ?? [];
  expect(new Set(read).size).toBeGreaterThan(10);
  expect([...new Set(told.map((name) => name.trim()))].sort()).toEqual(
    [...new Set([...read, ...others])].sort(),
  );
});

test('lists every exit code', () => {
  for (const [code, { means }] of Object.entries(exitCodes))
    expect(text('exit-codes')).toContain(`${code}  ${means}`);
});

test('wraps paragraphs and rows, but no command', () => {
  const shown = page(
    'one two three four five six seven',
    rows([['term', 'one two three four five six seven']]),
    lines('cs cars list --status stored --all'),
    section('MORE', 'six'),
  );
  expect(renderPage(section('FIRST', shown), 34).split('\n')).toEqual([
    'FIRST',
    'one two three four five six seven',
    '  term  one two three four five',
    '        six seven',
    '    cs cars list --status stored --all',
    '',
    'MORE',
    'six',
    '',
  ]);
  expect(renderPage(page(rows([['a-term-as-long-as-this', 'one word and another']])), 40)).toBe(
    '  a-term-as-long-as-this\n      one word and another\n',
  );
});
