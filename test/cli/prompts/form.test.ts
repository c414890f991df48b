/** Lines, lists and forms as functions: what keys answer, and what a correction keeps. */
import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import xterm from '@xterm/headless';
import { expect, test, vi } from 'vitest';
import type { Context } from '../../../src/cli/context.ts';
import { askFound } from '../../../src/cli/prompts/ask-found.ts';
import { askForm, type Form, type Question } from '../../../src/cli/prompts/form.ts';
import { formScreen } from '../../../src/cli/prompts/form-screen.ts';
import type { Option } from '../../../src/cli/prompts/options.ts';
import { askLine, askOption, askSearch } from '../../../src/cli/prompts/prompts.ts';
import type { Io } from '../../../src/cli/terminal/io.ts';
import { createRun } from '../../../src/cli/terminal/run.ts';
import { noStyles } from '../../../src/cli/terminal/style.ts';
import fc, { long } from '../../helpers/property.ts';

const [enter, down, back] = ['\r', '\u001b[B', '\u001b[Z'];

/** A busy machine takes longer than the second that vitest waits. */
const waitFor = <T>(look: () => T) => vi.waitFor(look, { interval: 1, timeout: 60_000 });

/** Keys for prompts, and what they have shown since the last ones. */
function keyboard(pause: Io['pause'] = async () => {}) {
  const stdin = new PassThrough();
  let shown = '';
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      shown += stripVTControlCharacters(String(chunk));
      done();
    },
  });
  // As that of a process, which a prompt doesn't close.
  stderr.end = () => stderr;
  const { signal } = new AbortController();
  const io = { stdin, stderr, env: {}, platform: 'linux', columns: 80, rows: 24, signal, pause };
  const context = {
    io: { ...io, run: createRun(), suspend() {}, interrupt() {} },
    interactive: false,
    settings: { verbose: false },
    styles: noStyles,
    writes: { questionFor: (question: string) => question, approve() {} },
    note() {},
    warn() {},
  } as unknown as Context;
  const press = (...keys: string[]) => {
    shown = '';
    for (const key of keys) stdin.write(key);
  };
  return {
    context,
    shown: () => shown,
    press,
    async answer(question: string, ...keys: string[]): Promise<void> {
      await waitFor(() => expect(shown).toContain(question));
      press(...keys);
    },
  };
}

const options = ['Drop-off', 'Pick-up', 'Inspection'].map((name) => ({ name, value: name }));
test.each([
  ['its number', ['2'], 'Pick-up'],
  ['its first letter', ['i'], 'Inspection'],
  ['the last letter, where no option starts with all of them', ['d', 'i'], 'Inspection'],
  ['its number after a letter that starts none', ['x', '2'], 'Pick-up'],
  ['the arrow down, which stays on the last one', [down, down, down], 'Inspection'],
])('an option is chosen by %s', async (_, keys, chosen) => {
  const { context, answer } = keyboard();
  const asked = askOption(context, { label: 'Event', options });
  await answer('? Event', ...keys, enter);
  expect(await asked).toBe(chosen);
});

const recordsOf = (...ids: string[]) => ids.map((id) => ({ id }));
test.each([
  ['1', '❯ Car 1\n  Car 2\n  … and 6 more'],
  ['2', '  Car 1\n❯ Car 2\n  … and 6 more'],
  ['4', '❯ Car 4\n  Car 1\n  … and 6 more'],
  // It isn't in the list.
  ['9', '❯ Car 9\n  Car 1\n  … and 7 more'],
])('the record %s that was chosen before has the cursor, and is counted once', async (id, list) => {
  const { context, answer } = keyboard();
  const asked = askFound(context, {
    label: 'Car',
    hint: 'a plate',
    earlier: { id },
    latest: { records: recordsOf('1', '2', '3', '4', '5'), total: 8 },
    shown: 2,
    find: async () => ({ records: [], total: 0 }),
    listed: async () => ({ records: [], isWhole: true }),
    textsOf: () => [],
    optionsOf: (records) => records.map((one) => ({ name: `Car ${one.id}`, value: one })),
  });
  await answer(list, enter);
  expect(await asked).toEqual({ id });
});

const erase = '\u007f';
test('a search that fails says why, and one that finds nothing what to do; the next key searches again', async () => {
  const { context, answer, press } = keyboard();
  const asked = askSearch(context, {
    label: 'Car',
    one: 'parked car',
    otherwise: 'add one',
    async find(typed) {
      if (typed === 'x') throw new Error('The server is away.');
      return typed === 'e' ? [{ name: 'Emma', value: 1 }] : [];
    },
  });
  await answer('? Car', 'x');
  await answer('The server is away.', erase, 'z');
  await answer('No parked car matches “z”: add one', erase, 'e');
  await answer('❯ Emma');
  press(enter);
  expect(await asked).toBe(1);
});

test('a search begins once no key follows for 150 ms', async () => {
  const pauses: { readonly ms: number; readonly end: () => void }[] = [];
  const { context, answer, press } = keyboard((ms, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    pauses.push({ ms, end: resolve });
    return promise;
  });
  const [car] = recordsOf('1');
  const searched: string[] = [];
  const asked = askFound(context, {
    label: 'Car',
    hint: 'a plate',
    latest: { records: [], total: 0 },
    shown: 2,
    async find(typed) {
      searched.push(typed);
      return { records: [car as { id: string }], total: 1 };
    },
    listed: async () => ({ records: [], isWhole: true }),
    textsOf: () => [],
    optionsOf: (records) => records.map((one) => ({ name: `Car ${one.id}`, value: one })),
  });
  await answer('? Car', 'a');
  await waitFor(() => expect(pauses).toHaveLength(1));
  press('b');
  await waitFor(() => expect(pauses).toHaveLength(2));
  expect(searched).toEqual([]);
  for (const { end } of pauses) end();
  await answer('❯ Car 1', enter);
  expect(await asked).toEqual(car);
  expect(searched).toEqual(['ab']);
  expect(pauses).toMatchObject([{ ms: 150 }, { ms: 150 }]);
});

test('the list that a short text is looked up in is read again after a failure', async () => {
  const { context, answer, press } = keyboard();
  const [car] = recordsOf('1');
  let isAway = true;
  const asked = askFound(context, {
    label: 'Car',
    hint: 'a plate',
    latest: { records: [], total: 0 },
    shown: 2,
    find: async () => ({ records: [], total: 0 }),
    async listed() {
      if (isAway) throw new Error('The server is away.');
      return { records: [car as { id: string }], isWhole: true };
    },
    textsOf: ({ id }) => [`Car ${id}`],
    optionsOf: (records) => records.map((one) => ({ name: `Car ${one.id}`, value: one })),
  });
  await answer('? Car', 'c');
  await answer('The server is away.');
  isAway = false;
  press('a');
  await answer('❯ Car 1', enter);
  expect(await asked).toEqual(car);
});

test('Enter before a search has ended takes the first that it finds, unless another key follows or that is to be chosen on purpose', async () => {
  const { context, answer, press, shown } = keyboard();
  const found = new Map<string, () => void>();
  const asked = askSearch(context, {
    label: 'Car',
    find: (typed) =>
      new Promise<Option<string>[]>((end) =>
        found.set(typed, () =>
          end([
            { name: `Car ${typed}`, value: typed, ...(typed === 'a' && { deliberate: true }) },
            { name: 'Other', value: 'other' },
          ]),
        ),
      ),
  });
  const search = async (...keys: string[]) => {
    press(...keys);
    return waitFor(() => expect(found.has(keys[0] as string)).toBe(true));
  };
  await waitFor(() => expect(found.has('')).toBe(true));
  found.get('')?.();
  await answer('❯ Car');
  await search('a', enter);
  found.get('a')?.();
  await answer('❯ Car a');
  press(erase);
  await waitFor(() => expect(shown()).toContain('❯ Car'));
  await search('b', enter, down);
  found.get('b')?.();
  await answer('❯ Car b', erase);
  await search('c', enter);
  found.get('c')?.();
  expect(await asked).toBe('c');
});

test('spaces answer no required question', async () => {
  const { context, answer } = keyboard();
  const asked = askLine(context, { label: 'Model', required: true });
  await answer('? Model', '  ', enter);
  await answer('Model is required.', 'TT ', enter);
  expect(await asked).toBe('TT');
});

interface Answers {
  readonly car: string;
  readonly place: string;
  readonly notes: string;
}
const line = <K extends keyof Answers>(name: K, more: object = {}) =>
  ({
    name,
    part: name,
    ask: (context: Context, { earlier }: { earlier: string | undefined }) =>
      askLine(context, { label: name, initial: earlier }),
    ...more,
  }) as unknown as Question<Answers>;
const form = (given: Form<Answers>['given'] = {}, place: object = {}): Form<Answers> => ({
  given,
  questions: [line('car'), line('place', { dependsOn: ['car'], ...place }), line('notes')],
  review: { summary: JSON.stringify, question: 'Store it?' },
});
const change = 'What would you like to change?';

test('another answer asks again for what depends on it; the same one does not, nor for a flag', async () => {
  const { context, answer } = keyboard();
  const asked = askForm(context, form());
  await answer('? car', 'one', enter);
  await answer('? place', 'A1', enter);
  await answer('? notes', 'n', enter);
  await answer('Store it?', 'n', enter);
  await answer(change, enter);
  await answer('? car', enter);
  await answer('Store it?', 'n', enter);
  await answer(change, enter);
  await answer('? car', ' two', enter);
  await answer('? place', 'B2', enter);
  await answer('Store it?', 'n', enter);
  await answer(change, '3', enter);
  await answer('? notes', 'o', enter);
  await answer('Store it?', enter);
  expect(await asked).toEqual({ car: 'one two', place: 'B2', notes: 'no' });

  const other = keyboard();
  const flagged = askForm(other.context, form({ place: 'C3' }));
  await other.answer('? car', 'one', enter);
  await other.answer('? notes', back);
  await other.answer('? car', ' two', enter);
  await other.answer('? notes', enter);
  await other.answer('Store it?', enter);
  expect(await flagged).toEqual({ car: 'one two', place: 'C3', notes: '' });
});

test('a step back goes past what asked nothing, and keeps what was typed unless another answer changes what it means', async () => {
  const { context, answer } = keyboard();
  const notes: string[] = [];
  const ask = async (asking: Context) => {
    asking.note('It is looked up.');
    return 'A1';
  };
  const asked = askForm(
    { ...context, note: (text) => void notes.push(text) },
    { ...form({}, { ask }), review: undefined },
  );
  await answer('? car', 'one', enter);
  await answer('? notes', 'draft', back);
  await answer('? car', ' two', enter);
  await answer('? notes', enter);
  expect(await asked).toEqual({ car: 'one two', place: 'A1', notes: 'draft' });
  expect(notes).toEqual(['It is looked up.', 'It is looked up.']);

  const other = keyboard();
  const typed = askForm(other.context, { ...form(), review: undefined });
  await other.answer('? car', 'one', enter);
  await other.answer('? place', 'A1', back);
  await other.answer('? car', ' two', enter);
  await other.answer('? place', 'B2', enter);
  await other.answer('? notes', enter);
  expect(await typed).toEqual({ car: 'one two', place: 'B2', notes: '' });
});

test('a step back from a change keeps nothing of it, and starting over nothing at all', async () => {
  const { context, answer } = keyboard();
  const both = {
    ...form(),
    questions: [line('car', { part: 'both' }), line('notes', { part: 'both' })],
  };
  const asked = askForm(context, both);
  await answer('? car', 'one', enter);
  await answer('? notes', 'n', enter);
  await answer('Store it?', 'n', enter);
  await answer(change, enter);
  await answer('? car', ' two', enter);
  await answer('? notes', back);
  await answer('? car', back);
  await answer('{"car":"one","notes":"n"}', 'n', enter);
  await answer(change, '2', enter);
  await answer('? car', 'three', enter);
  await answer('? notes', enter);
  await answer('Store it?', enter);
  expect(await asked).toEqual({ car: 'three', notes: '' });
});

test.each([
  [false, 'Nothing was stored.'],
  [true, 'Nothing else was stored.'],
])('leaving a correction, with a part stored: %s', async (isPartStored, told) => {
  const { context, answer } = keyboard();
  const correcting = {
    answers: { car: 'one', place: 'A1', notes: 'n' },
    wrong: ['place'] as const,
  };
  const asked = askForm(context, { ...form(), correcting: { ...correcting, isPartStored } });
  await answer('? place', enter);
  await answer('Store it?', 'n', enter);
  await answer(change, 'l', enter);
  await expect(asked).rejects.toThrow(new RegExp(`^${told}$`));
});

test('the answer of a question that does not apply any more is dropped, and a step back goes past it', async () => {
  const { context, answer } = keyboard();
  const applies = ({ car }: Partial<Answers>) => car !== 'none';
  const asked = askForm(context, form({}, { applies, dependsOn: [] }));
  await answer('? car', 'no', enter);
  await answer('? place', 'A1', enter);
  await answer('? notes', enter);
  await answer('Store it?', 'n', enter);
  await answer(change, enter);
  await answer('? car', 'ne', enter);
  await answer('Store it?', back);
  await answer('? notes', back);
  await answer('? car', enter);
  await answer('? notes', enter);
  await answer('Store it?', enter);
  expect(await asked).toEqual({ car: 'none', notes: '' });
});

test('a step back from the first question leads where the form says', async () => {
  const { context, answer } = keyboard();
  const asked = askForm(context, { ...form(), back: new Error('To the list.') });
  await answer('? car', back);
  await expect(asked).rejects.toThrow('To the list.');
});

test('where a part of a form goes from the screen, the others move up, and come back where it is restored', async () => {
  const display = new xterm.Terminal({ cols: 10, rows: 20, allowProposedApi: true });
  const write = (text: string) => display.write(text.replaceAll('\n', '\r\n'));
  const open = (verbose: boolean) => {
    const context = { io: { stderr: { write }, columns: 10 }, settings: { verbose } };
    return formScreen<number>(context as never, Number);
  };
  const lines = async () => {
    await new Promise<void>((resolve) => display.write('', resolve));
    const { active } = display.buffer;
    return Array.from({ length: active.baseY + active.cursorY }, (_, row) =>
      active.getLine(row)?.translateToString(true),
    );
  };
  write('above\n');
  const screen = open(false);
  screen.print(1, 'one\n');
  screen.print(3, 'three is long\n');
  screen.print(2, 'two\n\n');
  const whole = ['above', 'one', 'two', '', 'three is l', 'ong'];
  expect(await lines()).toEqual(whole);
  const restore = screen.save();
  screen.remove((part) => part === 2);
  expect(await lines()).toEqual(['above', 'one', 'three is l', 'ong']);
  screen.remove((part) => part === 4);
  restore();
  expect(await lines()).toEqual(whole);
  // A note was written below.
  screen.interrupted();
  write('note\n');
  restore();
  screen.print(1, 'again\n');
  expect(await lines()).toEqual([...whole, 'note', 'again']);
  // Requests are logged between the parts.
  const logged = open(true);
  logged.print(2, 'two\n');
  logged.print(1, 'one\n');
  logged.remove((part) => part === 2);
  expect(await lines()).toEqual([...whole, 'note', 'again', 'two', 'one']);
});

test('whatever is typed, changed and taken back, the answers are what the last summary said', async () => {
  const review = 'Store it?';
  const known = ['? car', '? place', '? notes', review, change];
  const choices = fc.array(fc.nat(99), { maxLength: 30 });
  const run = async (chosen: number[]) => {
    const { context, shown, press } = keyboard();
    const applies = ({ car }: Partial<Answers>) => !car?.endsWith('7');
    const asked = askForm(context, form({}, { applies }));
    let [left, summary, isChanging] = ['', '', false];
    const next = () => {
      const answered = shown().lastIndexOf(`✓ ${left.replace('? ', '')}`);
      const since = shown().slice(Math.max(answered, 0));
      const found = known.toSorted((a, b) => since.lastIndexOf(b) - since.lastIndexOf(a))[0] ?? '';
      expect(since).toContain(found);
      if (answered < 0) expect(found).not.toBe(left);
      return found;
    };
    for (;;) {
      const question = await waitFor(next);
      const choice = chosen.shift();
      left = question;
      if (question === review) {
        summary = /.*\{.*\}/.exec(shown())?.[0] ?? summary;
        isChanging = false;
        if (choice === undefined || choice % 3 === 0) break;
        press(...(choice % 3 === 1 ? ['n', enter] : [back]));
      } else if (question === change) {
        isChanging = true;
        press(...(choice === undefined ? [back] : [`${(choice % 3) + 1}`, enter]));
      } else if (choice && choice % 4 === 0 && (isChanging || question !== '? car')) press(back);
      else press(...(choice && choice % 4 > 1 ? [` ${choice}`] : []), enter);
    }
    press(enter);
    expect(await asked).toEqual(JSON.parse(summary));
  };
  await fc.assert(fc.asyncProperty(choices, run), { numRuns: long ? 500 : 40 });
});
