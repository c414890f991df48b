/** Lines, lists and forms as functions: what keys answer, and what a correction keeps. */
import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, test, vi } from 'vitest';
import type { Context } from '../../../src/cli/context.ts';
import { askForm, type Form, type Question } from '../../../src/cli/prompts/form.ts';
import { askLine, askOption } from '../../../src/cli/prompts/prompts.ts';
import { createRun } from '../../../src/cli/terminal/run.ts';
import { noStyles } from '../../../src/cli/terminal/style.ts';

const [enter, down, back] = ['\r', '\u001b[B', '\u001b[Z'];

/** Keys for prompts, and what they have shown since the last ones. */
function keyboard() {
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
  const io = { stdin, stderr, env: {}, platform: 'linux', columns: 80, rows: 24, signal };
  const context = {
    io: { ...io, run: createRun(), suspend() {}, interrupt() {} },
    interactive: false,
    settings: { verbose: false },
    styles: noStyles,
    writes: { questionFor: (question: string) => question, approve() {} },
    note() {},
    warn() {},
  } as unknown as Context;
  return {
    context,
    async answer(question: string, ...keys: string[]): Promise<void> {
      await vi.waitFor(() => expect(shown).toContain(question), { interval: 1 });
      shown = '';
      for (const key of keys) stdin.write(key);
    },
  };
}

const options = ['Drop-off', 'Pick-up', 'Inspection'].map((name) => ({ name, value: name }));
test.each([
  ['its number', ['2'], 'Pick-up'],
  ['its first letter', ['i'], 'Inspection'],
  ['the arrow down, which stays on the last one', [down, down, down], 'Inspection'],
])('an option is chosen by %s', async (_, keys, chosen) => {
  const { context, answer } = keyboard();
  const asked = askOption(context, { label: 'Event', options });
  await answer('? Event', ...keys, enter);
  expect(await asked).toBe(chosen);
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
  await answer('Store it?', enter);
  expect(await asked).toEqual({ car: 'one two', place: 'B2', notes: 'n' });

  const other = keyboard();
  const flagged = askForm(other.context, form({ place: 'C3' }));
  await other.answer('? car', 'one', enter);
  await other.answer('? notes', back);
  await other.answer('? car', ' two', enter);
  await other.answer('? notes', enter);
  await other.answer('Store it?', enter);
  expect(await flagged).toEqual({ car: 'one two', place: 'C3', notes: '' });
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

test('the answer of a question that does not apply any more is dropped', async () => {
  const { context, answer } = keyboard();
  const applies = ({ car }: Partial<Answers>) => car !== 'none';
  const asked = askForm(context, form({}, { applies, dependsOn: [] }));
  await answer('? car', 'no', enter);
  await answer('? place', 'A1', enter);
  await answer('? notes', enter);
  await answer('Store it?', 'n', enter);
  await answer(change, enter);
  await answer('? car', 'ne', enter);
  await answer('Store it?', enter);
  expect(await asked).toEqual({ car: 'none', notes: '' });
});
