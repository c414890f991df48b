/** What no command understands, and what it lacks: exit 2 with the name of it, and never a wait. */
import { afterAll, expect, test } from 'vitest';
import { contract } from '../../../src/contract/contract.ts';
import type { Resource } from '../../../src/contract/resource.ts';
import { choicesOf } from '../../../src/contract/schemas.ts';
import { cs } from '../../helpers/cli.ts';
import { kindOfFlag } from '../../helpers/command-line.ts';
import { everyCommand } from '../../helpers/every-command.ts';
import { everyLine } from '../../helpers/every-line.ts';
import { forMany, offenders } from '../../helpers/offenders.ts';

const commands = await everyCommand();
const lines = await everyLine();
afterAll(() => lines.close());

test('the tree was read', () => {
  expect(commands.length).toBeGreaterThan(150);
});

const required = /^Missing required flags?: (--[\w-]+)/;

test(
  'an unknown flag',
  async () => {
    const found = await offenders(commands, async ({ words }) => {
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
    expect(found).toEqual([]);
  },
  forMany,
);

test('every command has at least two examples', () => {
  const few = commands.filter(
    ({ info }) => info.examples.filter((line) => !line.startsWith('#')).length < 2,
  );
  expect(few.map(({ name }) => name)).toEqual([]);
});

/** A command with arguments of its own, such as sync, does something without a word below it. */
const groups = commands.filter(
  ({ info }) => info.commands.length > 0 && info.arguments.length === 0,
);
test(
  'a word with commands below it, alone and with a word that it has not',
  async () => {
    const found = await offenders(groups, async ({ words, info }) => {
      const alone = await cs(words);
      expect([alone.code, alone.stdout]).toEqual([2, '']);
      for (const { name } of info.commands) expect(alone.error.message).toContain(name);
      const wrong = await cs([...words, 'no-such-command']);
      expect([wrong.code, wrong.error.message]).toEqual([
        2,
        expect.stringContaining('no-such-command'),
      ]);
    });
    expect(found).toEqual([]);
  },
  forMany,
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

/** The flags with a value that some values can be wrong for, without those that many commands share: test/cli/config/bad-values.test.ts has them. */
const valuedOf = ({ info }: (typeof lines.all)[number]) =>
  info.flags.filter(
    ({ value, global, variable, choices }) =>
      value === 'required' &&
      !global &&
      !variable &&
      !(choices && leftToServer.has(String(choices))),
  );

test(
  'without a terminal: names missing arguments',
  async () => {
    const found = await offenders(lines.all, async ({ words, info }) => {
      const needed = info.arguments.filter((argument) => argument.required);
      const filled = [...words, ...needed.map(() => '019aa0a3-4d00-7000-8000-0000000000aa')];
      // A choice that is none is wrong and not missing.
      for (const short of needed.some(({ choices }) => choices) ? [words] : [words, filled]) {
        // What serves on stdin waits for it.
        const stdin = words[0] === 'mcp' ? '' : ({ open: true } as const);
        const { code, stderr } = await cs(short, lines.options({ stdin }));
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
    expect(found).toEqual([]);
  },
  forMany,
);

test(
  'without a terminal: names every missing required flag',
  async () => {
    const found = await offenders(lines.all, async (known) => {
      for (const part of known.lacked) {
        const short = known.line.filter((_, at) => at < part.from || at >= part.to);
        const { code, stdout, error } = await cs(
          short,
          lines.prepare(known, { stdin: { open: true } }),
        );
        expect([code, stdout], short.join(' ')).toEqual([2, '']);
        expect(`${error.message} ${error.hint}`).toContain(known.line[part.from]);
      }
    });
    expect(found).toEqual([]);
  },
  forMany,
);

test(
  'an extra argument',
  async () => {
    const bounded = lines.all.filter(
      ({ info }) => !info.arguments.some(({ variadic }) => variadic),
    );
    const found = await offenders(bounded, async ({ words, info }) => {
      const filled = [...words, ...info.arguments.map(() => 'x'), 'one-too-many'];
      expect((await cs(filled, lines.options())).code).toBe(2);
    });
    expect(found).toEqual([]);
  },
  forMany,
);

test(
  'an empty value, as of a shell variable that nobody set',
  async () => {
    // Whether a flag takes an empty value depends on the flag, not on the command.
    const seen = new Set<string>();
    const found = await offenders(lines.all, async ({ line, info }) => {
      const named = info.flags.filter(
        ({ value, form }) =>
          value === 'required' &&
          !/<(text|[^>]*,…)>$/.test(form) &&
          seen.size < seen.add(form).size,
      );
      if (named.length === 0) return;
      for (const { long } of named) {
        const { code, stdout, stderr } = await cs(
          [...line, '-o', 'json', long, ''],
          lines.options(),
        );
        expect([code, stdout], `${long}: ${stderr}`).toEqual([2, '']);
        const { message } = JSON.parse(stderr.trim().split('\n').at(-1) as string).error;
        expect(message).toContain(long);
      }
    });
    expect(found).toEqual([]);
  },
  forMany,
);

test(
  'invalid flag values',
  async () => {
    const found = await offenders(lines.all, async (known) => {
      for (const flag of valuedOf(known))
        for (const value of wrongValues[kindOfFlag(flag)]) {
          const { long } = flag;
          const { code, stdout, stderr } = await lines.run(known, {
            flags: [`${long}=${value}`, '-o', 'table'],
          });
          // A time or a number in no form, or a page of no list, is a mistake in the line. The rules of the interface decide about other values.
          const isMistake = ['never-ever', 'many'].includes(value) || /^--(limit|page)$/.test(long);
          expect(isMistake ? [2] : [2, 3], `${long}=${value}: ${stderr}`).toContain(code);
          expect([stdout, stderr.includes(long)], `${long}=${value}: ${stderr}`).toEqual([
            '',
            true,
          ]);
        }
    });
    expect(found).toEqual([]);
  },
  forMany,
);
