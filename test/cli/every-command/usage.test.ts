/** What no command understands, and what it lacks: exit 2 with the name of it, and never a wait. */
import { afterAll, describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/contract.ts';
import type { Resource } from '../../../src/contract/resource.ts';
import { choicesOf } from '../../../src/contract/schemas.ts';
import { cs } from '../../helpers/cli.ts';
import { kindOfFlag } from '../../helpers/command-line.ts';
import { everyCommand } from '../../helpers/every-command.ts';
import { everyLine } from '../../helpers/every-line.ts';

const commands = await everyCommand();
const lines = await everyLine();
afterAll(() => lines.close());

test('the tree was read', () => {
  expect(commands.length).toBeGreaterThan(150);
});

const required = /^Missing required flags?: (--[\w-]+)/;

describe.each(commands.map((known) => [known.name, known] as const))(
  'cs %s',
  (_, { words, info }) => {
    test('an unknown flag', async () => {
      const line = [...words, '--no-such-flag'];
      let { code, stdout, error } = await cs(line);
      // What a command cannot do without at all is told first.
      for (
        let [, flag] = required.exec(error.message) ?? [];
        flag;
        [, flag] = required.exec(error.message) ?? []
      ) {
        line.push(flag, 'x');
        ({ code, stdout, error } = await cs(line));
      }
      expect([code, stdout, error.code]).toEqual([2, '', 'usage']);
      expect(error.message).toContain('--no-such-flag');
    });
    test('has at least two examples of this command', () => {
      expect(info.examples.filter((line) => !line.startsWith('#')).length).toBeGreaterThanOrEqual(
        2,
      );
    });
  },
);

/** A command with arguments of its own, such as sync, does something without a word below it. */
const groups = commands.filter(
  ({ info }) => info.commands.length > 0 && info.arguments.length === 0,
);
test.each(groups.map(({ name, words, info }) => [name, words, info] as const))(
  'cs %s alone and with a word that it has not',
  async (_, words, info) => {
    const alone = await cs(words);
    expect([alone.code, alone.stdout]).toEqual([2, '']);
    for (const { name } of info.commands) expect(alone.error.message).toContain(name);
    const wrong = await cs([...words, 'no-such-command']);
    expect([wrong.code, wrong.error.message]).toEqual([
      2,
      expect.stringContaining('no-such-command'),
    ]);
  },
);

/** The values of a field that the specification leaves open: each server has its own. */
const leftToServer = new Set(
  Object.values<Resource>(contract)
    .flatMap(({ fields, filters = {} }) => [...Object.values(fields), ...Object.values(filters)])
    .filter(({ source }) => source === 'decision')
    .map(({ schema }) => String(choicesOf(schema))),
);

const wrongValues = {
  choice: ['no-such-value'],
  number: ['many', '-1'],
  time: ['never-ever'],
  other: [],
};

describe.each(lines.all.map((line) => [line.name, line] as const))('cs %s', (_, known) => {
  const { words, info, line } = known;
  const valued = info.flags.filter(
    ({ value, global, choices }) =>
      value === 'required' && !global && !(choices && leftToServer.has(String(choices))),
  );
  const times = valued.filter((flag) => kindOfFlag(flag) === 'time');
  const refusals = valued.flatMap((flag) =>
    wrongValues[kindOfFlag(flag)].map((value) => [flag.long, value] as const),
  );

  test('without a terminal: names missing arguments', async () => {
    const needed = info.arguments.filter((argument) => argument.required);
    const filled = [...words, ...needed.map(() => '019aa0a3-4d00-7000-8000-0000000000aa')];
    // A choice that is none is wrong and not missing.
    for (const short of needed.some(({ choices }) => choices) ? [words] : [words, filled]) {
      const { code, stderr } = await cs(short, lines.options({ stdin: { open: true } }));
      expect(code).not.toBe(1);
      if (short === words && needed.length > 0) expect(code).toBe(2);
      if (code !== 2) continue;
      const { message, hint } = JSON.parse(stderr.trim().split('\n').at(-1) as string).error;
      const names = [
        ...info.flags.map(({ long }) => long),
        ...info.arguments.map(({ name }) => name.toLowerCase()),
      ];
      expect(names.some((name) => `${message} ${hint}`.toLowerCase().includes(name))).toBe(true);
    }
  });

  if (known.lacked.length > 0) {
    test('without a terminal: names every missing required flag', async () => {
      for (const part of known.lacked) {
        const short = line.filter((_, at) => at < part.from || at >= part.to);
        const { code, stdout, error } = await cs(
          short,
          lines.prepare(known, { stdin: { open: true } }),
        );
        expect([code, stdout], short.join(' ')).toEqual([2, '']);
        expect(`${error.message} ${error.hint}`).toContain(line[part.from]);
      }
    });
  }

  if (!info.arguments.some(({ variadic }) => variadic)) {
    test('an extra argument', async () => {
      const filled = [...words, ...info.arguments.map(() => 'x'), 'one-too-many'];
      expect((await cs(filled, lines.options())).code).toBe(2);
    });
  }

  if (times.length > 0) {
    test('an error in a time names its flag', async () => {
      for (const flag of times) {
        for (const value of ['never-ever', '0d']) {
          const { code, stderr } = await lines.run(known, { flags: [`${flag.long}=${value}`] });
          const { issues = [] } =
            code === 3
              ? (JSON.parse(stderr.trim().split('\n').at(-1) as string).error.details ?? {})
              : {};
          expect(issues.map((issue: { flag?: string }) => issue.flag)).toEqual(
            issues.map(() => flag.long),
          );
        }
      }
    });
  }

  const named = info.flags.filter(
    ({ value, form }) => value === 'required' && !/<(text|[^>]*,…)>$/.test(form),
  );
  test('an empty value, as of a shell variable that nobody set', async () => {
    const passed = [];
    for (const { long } of named) {
      const { code, stdout, stderr } = await cs([...line, '-o', 'json', long, ''], lines.options());
      const { message } =
        code === 2
          ? JSON.parse(stderr.trim().split('\n').at(-1) as string).error
          : { message: stderr };
      if (code !== 2 || stdout !== '' || !message.includes(long))
        passed.push(`${line.join(' ')} ${long} '': ${code} ${message}`);
    }
    expect(passed).toEqual([]);
  });

  if (refusals.length > 0) {
    test('invalid flag values', async () => {
      const passed = [];
      for (const [flag, value] of refusals) {
        const { code, stdout, stderr } = await lines.run(known, {
          flags: [`${flag}=${value}`, '-o', 'table'],
        });
        const named = stderr.includes(flag);
        // A time or a number in no form, or a page of no list, is a mistake in the line. The rules of the interface decide about other values.
        const isMistake =
          value === 'never-ever' || value === 'many' || flag === '--limit' || flag === '--page';
        if ((code !== 2 && (isMistake || code !== 3)) || stdout !== '' || !named)
          passed.push(`cs ${line.join(' ')} ${flag}=${value}: ${code} ${stderr}`);
      }
      expect(passed).toEqual([]);
    });
  }
});
