/** Screens as text, kept in files that a person can read. No line is wider than its screen: the terminal wraps it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { openTerminal, type Terminal, type TerminalOptions } from '../../helpers/terminal.ts';
import { noon, type Place, type Scene } from './scene.ts';

export interface Camera {
  readonly terminal: Terminal;
  /** Keeps the screen under this name, once it shows the text. */
  shot(name: string, shown: string | RegExp): Promise<void>;
  /** Types a line, once the screen shows the text. */
  answer(shown: string | RegExp, typed?: string): Promise<void>;
  /** Keeps the screen after the program has ended. */
  end(name: string): Promise<void>;
}

export interface Run {
  /** Of the screen that it leaves (default: the command line). */
  readonly name?: string;
  readonly argv: readonly string[] | ((env: Record<string, string>) => Promise<readonly string[]>);
  readonly env?: Record<string, string>;
  readonly rows?: number;
  /** (default: keeps the screen that the command leaves) */
  readonly act?: (camera: Camera) => Promise<void>;
}

/** Runs commands one after another on a terminal of this width, and compares their screens with the file. */
export async function takeShots(
  { scene, columns }: { readonly scene: Scene; readonly columns: number },
  file: string,
  runs: readonly Run[],
): Promise<void> {
  const place = await scene.openPlace();
  const path = join(import.meta.dirname, `rendered/${file}.txt`);
  const kept = await readFile(path, 'utf8').catch(() => '');
  const shots: string[] = [];
  for (const run of runs) shots.push(...(await take(columns, { place, run, kept })));
  await expect(shots.join('\n')).toMatchFileSnapshot(path);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colour is made of
const colour = /\u001b\[[0-9;]*m/;

const keepEnd = (name: string) => (camera: Camera) => camera.end(name);

async function take(
  columns: number,
  { place, run, kept }: { place: Place; run: Run; kept: string },
): Promise<string[]> {
  const { env, rows } = run;
  const argv = typeof run.argv === 'function' ? await run.argv(place.env(env)) : run.argv;
  const { act = keepEnd(run.name ?? `cs ${argv.join(' ')}`) } = run;
  const options: TerminalOptions = {
    columns,
    now: noon,
    cwd: place.cwd,
    env: place.env(env),
    ...(rows && { rows }),
  };
  const terminal = openTerminal(argv, options);
  const shots: string[] = [];
  let before: readonly string[] = [];
  const look = (name: string) =>
    `## ${name}\n\n${changeOf(before, linesOf(terminal)).join('\n')}\n`;
  const keep = (name: string) => {
    shots.push(look(name));
    before = linesOf(terminal);
  };
  await act({
    terminal,
    async shot(name, shown) {
      await terminal.waitFor(shown);
      // While something is looked up, its spinner turns.
      await terminal.waitFor((screen) => !/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /m.test(screen));
      await comeToRest(
        () => look(name),
        // Up to its last line: another one may be drawn below.
        (screen) => `${kept}\n## `.includes(`${screen}\n## `),
      );
      keep(name);
    },
    async answer(shown, typed = '') {
      await terminal.waitFor(shown);
      terminal.type(`${typed}\r`);
    },
    async end(name) {
      await terminal.exited;
      keep(name);
    },
  });
  terminal.press('ctrl-c');
  await terminal.exited;
  // NO_COLOR holds for every prompt.
  if (place.env(env).NO_COLOR) expect(terminal.raw()).not.toMatch(colour);
  return shots;
}

const linesOf = (terminal: Terminal): string[] =>
  steady(terminal.screen())
    .split('\n')
    .map((line) => line.trimEnd());

/** The lines at the top that stand as they stood before are counted, also where others have left above them. */
function changeOf(before: readonly string[], lines: readonly string[]): readonly string[] {
  const sameAfter = (gone: number) => {
    const first = lines.findIndex((line, at) => line !== before[gone + at]);
    return first === -1 ? lines.length : first;
  };
  let gone = 0;
  for (const at of before.keys()) if (sameAfter(at) > sameAfter(gone)) gone = at;
  const same = sameAfter(gone);
  if (same < 2) return lines;
  const without = gone > 0 ? `, without the first ${gone}` : '';
  return [`(${same} lines as before${without})`, ...lines.slice(same)];
}

/** A screen is drawn in pieces: it is whole once it is as kept, and another one once it has stayed the same for two seconds. */
async function comeToRest(look: () => string, isKept: (screen: string) => boolean): Promise<void> {
  for (let [same, before] = [0, '']; same < 40 && !isKept(look()); ) {
    same = before === look() ? same + 1 : 0;
    before = look();
    await setTimeout(50);
  }
}

/** What differs between two runs, in as many cells: ids, ports, keys, and the code for a phone. */
const steady = (screen: string): string =>
  withoutCode(screen)
    .replace(
      /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
      '00000000-0000-7000-8000-000000000000',
    )
    .replace(/\b[0-9a-f]{8}\b(?!-)/g, '00000000')
    .replace(/(?<=csk_)[a-z2-7]{12}/g, (id) => 'x'.repeat(id.length))
    .replace(/(?<=127\.0\.0\.1:)\d+/g, (port) => '0'.repeat(port.length))
    .replace(/(?<=#)[\w-]{22}/g, (secret) => 'x'.repeat(secret.length));

/** A rectangle in place of the code. */
function withoutCode(screen: string): string {
  const lines = screen.split('\n');
  const code = lines.filter((line) => (line.match(/[▀▄█]/g) ?? []).length > 8);
  const left = Math.min(...code.map((line) => line.search(/[▀▄█]/)));
  const right = Math.max(...code.map((line) => line.search(/[▀▄█](?!.*[▀▄█])/))) + 1;
  const covered = (line: string) =>
    line.slice(0, left).padEnd(left) + '▒'.repeat(right - left) + line.slice(right);
  return lines.map((line) => (code.includes(line) ? covered(line) : line)).join('\n');
}
