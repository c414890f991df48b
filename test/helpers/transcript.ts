/**
 * What command lines print for a person, one after another, as one text to compare with a file: every sentence, column, order and
 * plural of it is proved at once. Look at what changes in the file before you accept it (`--update` writes it).
 */
import { readFileSync } from 'node:fs';
import { expect, vi } from 'vitest';
import { readShellLine } from '../../src/cli/framework/completion/shell-line.ts';
import { type CliOptions, cs } from './cli.ts';

/** A Monday, later than what other tests of this process have stored. */
export const noon = new Date('2050-05-02T10:00:00Z');

/** Stops the clock of this process at noon in Berlin, until the result is called. */
export function stopClock(): () => void {
  const timeZone = process.env.TZ;
  process.env.TZ = 'Europe/Berlin';
  vi.useFakeTimers({ toFake: ['Date'], now: noon });
  return () => {
    vi.useRealTimers();
    if (timeZone === undefined) delete process.env.TZ;
    else process.env.TZ = timeZone;
  };
}

/** A line, with variables before it, runs on a terminal, or with `| cat` in a pipe. After `# ` it names a task. A task between lines prints nothing. */
export type Step = string | (() => Promise<unknown>);

interface Options extends CliOptions {
  /** Texts that differ in each run, by their placeholder. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly tasks?: Readonly<Record<string, () => unknown>>;
}

/** Runs the commands and tasks of such a file: they print what it says. A command to add is written into the file, after `$ `. */
export async function replay(path: string, options: Options): Promise<void> {
  const steps = Array.from(
    readFileSync(path, 'utf8').matchAll(/^(?:\$ (.*)|(# .*))$/gm),
    ([, line, task]) => line ?? (task as string),
  );
  const tasks = steps.flatMap((step) => (step.startsWith('# ') ? [step.slice(2)] : []));
  expect(new Set(tasks)).toEqual(new Set(Object.keys(options.tasks ?? {})));
  expect(steps.length).toBeGreaterThan(tasks.length);
  await expect(await transcript(steps, options)).toMatchFileSnapshot(path);
}

export async function transcript(
  steps: readonly Step[],
  { hidden = {}, tasks = {}, ...options }: Options,
): Promise<string> {
  const parts: string[] = [];
  for (const step of steps) {
    if (typeof step === 'function') {
      await step();
      continue;
    }
    if (step.startsWith('# ')) {
      const task = tasks[step.slice(2)];
      if (!task) throw new Error(`No task for "${step}"`);
      await task();
      parts.push(`${step}\n`);
      continue;
    }
    const [, before = '', line = ''] =
      /^((?:[A-Z_]+=\S* )*)(.*?)(?: \| cat)?$/s.exec(fill(step, hidden)) ?? [];
    const variables = before
      .split(' ')
      .filter(Boolean)
      .map((text) => text.split(/=(.*)/s, 2));
    const { code, stdout, stderr } = await cs(readShellLine(`${line} `).words.slice(0, -1), {
      as: step.endsWith(' | cat') ? 'pipe' : 'terminal',
      now: noon,
      // No line breaks: where they are depends on the length of a path.
      columns: 1_000,
      ...options,
      env: { ...options.env, ...Object.fromEntries(variables) },
    });
    const notes = stderr.replace(/^(?=.)/gm, '2> ');
    parts.push(`$ ${step}\n${stdout}${notes}${code === 0 ? '' : `exit ${code}\n`}`);
  }
  return steady(parts.join('\n'), hidden);
}

/** `{data}` of a line is the hidden text of that name. */
const fill = (line: string, hidden: Readonly<Record<string, string>>): string =>
  Object.entries(hidden).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), line);

/** What differs between two runs; in a table in as many cells. */
const steady = (text: string, hidden: Readonly<Record<string, string>>): string =>
  Object.entries(hidden)
    .reduce(
      (rest, [name, value]) =>
        rest
          // A cell of a table.
          .replaceAll(`${value}  `, `${`{${name}}`.padEnd(value.length)}  `)
          .replaceAll(value, `{${name}}`),
      text,
    )
    .replace(
      /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
      '00000000-0000-7000-8000-000000000000',
    )
    .replace(/\b[0-9a-f]{64}\b/g, 'f'.repeat(64))
    .replace(/csk_[a-z2-7]{12}(\.[\w-]{43})?/g, (key) => `csk_${'x'.repeat(key.length - 4)}`)
    .replace(/(?<=link#)[\w-]{43}/g, 'x'.repeat(43))
    .replace(/(?<=http:\/\/(127\.0\.0\.1|\[[:1]+\]):)\d{4,}/g, (port) => '0'.repeat(port.length))
    // An answer has the time of this machine.
    .replace(/\d+,\d{3}(?= days behind this machine)/g, '{n}')
    // A stamp is later than the one before it.
    .replace(/(?<=T10:00:00\.)\d{3}(?=Z)/g, '000')
    .replace(/(?<=answered in )\d+(?= ms)/g, '{n}')
    .replace(/(?<=\bcs )\d+\.\d+\.\d+(-[\w.]+)?/g, '0.0.0')
    // The words of V8.
    .replace(/(?<=isn't (valid )?JSON(: | \())\S.* (in|after) JSON at [^)]*\)/g, '{why}')
    // The lines of CSV end with CR LF.
    .replaceAll('\r\n', '\n')
    .replace(/ +$/gm, '');
