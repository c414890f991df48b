/** A command line, read by the description of the commands. */
import { expect, test } from 'vitest';
import { liveTree } from '../../../../src/cli/commands/catalogue.ts';
import { commandPath, lineOptions, readLine } from '../../../../src/cli/framework/tree/line.ts';

const read = (words: string) => readLine(liveTree, words.split(' '));

test.each([
  ['cars list --limit 5', 'cs cars list', [], { '--limit': '5' }],
  ['cars list --limit=5 --limit=6', 'cs cars list', [], { '--limit': '6' }],
  ['cars list -o=csv', 'cs cars list', [], { '--output': 'csv' }],
  ['cars list --json=id,vin', 'cs cars list', [], { '--json': 'id,vin' }],
  ['cars list --all=yes', 'cs cars list', [], { '--all': true }],
  ['--json cars list', 'cs cars list', [], { '--json': true }],
  ['cars get --json Greta', 'cs cars get', ['Greta'], { '--json': true }],
  ['cars get HH-RS --nonsense=1', 'cs cars get', ['HH-RS'], {}],
  ['cars get -- --limit=5', 'cs cars get', ['--limit=5'], {}],
  ['cars get -', 'cs cars get', ['-'], {}],
])('cs %s', async (words, command, args, flags) => {
  const line = await read(words);
  expect({
    command: commandPath(line.chain),
    args: line.args,
    flags: Object.fromEntries(line.flags),
  }).toEqual({ command, args, flags });
  expect(line.pendingFlag).toBeUndefined();
});

test('reads the settings from the flags', async () => {
  expect(
    lineOptions(
      await read('cars list --profile=work --base-url http://a --output=json --no-input'),
    ),
  ).toEqual({
    profile: 'work',
    baseUrl: 'http://a',
    output: 'json',
    noInput: true,
  });
});

test('a final flag needs its value; an unmatched word is unknown', async () => {
  expect((await read('cars list --limit')).pendingFlag?.long).toBe('--limit');
  expect((await read('cars lost')).unknown).toBe('lost');
});
