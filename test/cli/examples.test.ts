/**
 * Every example of every command's help is run against a facility that has what it names, in this process. What needs a person is run on
 * a terminal. Lines for a shell are in examples-in-shell.test.ts.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readShellLine } from '../../src/cli/framework/completion/shell-line.ts';
import { cs } from '../helpers/cli.ts';
import {
  type Example,
  everyExample,
  needsShell,
  type Stage,
  type Stages,
  startStages,
} from '../helpers/examples.ts';
import { forMany, offenders } from '../helpers/offenders.ts';
import { openTerminal } from '../helpers/terminal.ts';

const examples = (await everyExample()).filter((example) => !needsShell(example));

let stages: Stages;
beforeAll(async () => {
  stages = await startStages();
});
afterAll(() => stages.close());

/** Commands that go on until they are stopped. */
const goesOn = (line: string): boolean =>
  /^cs (watch\b(?!.*--once)|(board|today) --watch)/.test(line);

async function runExample(example: Example): Promise<void> {
  const stage = await stages.prepare(example);
  if (goesOn(stage.line)) return stopOnceItShows(stage);
  const { line, folder, env } = stage;
  const { code, stderr } = await cs(wordsOf(line), {
    cwd: folder,
    home: folder,
    env: { SHELL: '/bin/bash', ...env },
    now: stages.now,
  });
  if (code === 2 && asks(stderr)) return answer(stage);
  expect(
    { code, stderr: code === 0 ? '' : stderr },
    'test/helpers/example-facility.ts has the records of examples',
  ).toEqual({
    code: 0,
    stderr: '',
  });
}

const wordsOf = (line: string): string[] => readShellLine(`${line} `).words.slice(0, -1);

/** Whether a command says that a person would have been asked. */
const asks = (stderr: string): boolean =>
  /to be prompted|needs a terminal|needs a yes|confirmation required|Missing required flag: --confirm|Missing key/.test(
    stderr,
  );

/** On a terminal: yes to a yes or no, the word that is asked for, and Ctrl-C where there is more to say than a test of examples can. */
async function answer({ line, folder, env }: Stage): Promise<void> {
  const terminal = openTerminal(wordsOf(line), { cwd: folder, env });
  const screen = await terminal.waitFor(/\(y\/N\)|Type .+ to confirm|\? +\S|Photos from a phone/);
  const [, word] = /Type (.+?) to confirm/.exec(screen) ?? [];
  if (word === undefined && !screen.includes('(y/N)')) {
    terminal.press('ctrl-c');
    expect(await terminal.exited).toBe(130);
    return;
  }
  terminal.type(word ?? 'y');
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
}

async function stopOnceItShows({ line, folder, env }: Stage): Promise<void> {
  const terminal = openTerminal(wordsOf(line), { cwd: folder, env });
  await terminal.waitFor(/\S/);
  terminal.press('ctrl-c');
  expect([0, 130]).toContain(await terminal.exited);
}

test(
  'every example works',
  async () => {
    const lines = examples.map((example) => ({ ...example, name: example.line }));
    expect(await offenders(lines, runExample)).toEqual([]);
  },
  forMany,
);
