/** Screens as text, each at two widths, kept in files that a person can read. No line is wider than its screen: the terminal wraps it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { openTerminal, type Terminal, type TerminalOptions } from '../../helpers/terminal.ts';
import { noon, type Place, type Scene, type Width, widths } from './scene.ts';

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

/** By name and width. */
type Shots = Map<string, Map<Width, string>>;

/** Runs commands one after another at each width, and compares their screens with the file. */
export async function takeShots(scene: Scene, file: string, runs: readonly Run[]): Promise<void> {
  const places = await scene.openPlaces();
  const shots: Shots = new Map();
  const kept = await readKept(file);
  await Promise.all(
    Array.from(places, async ([width, place]) => {
      for (const run of runs) await takeAt(width, { place, run, shots, kept });
    }),
  );
  await expect(pageOf(shots)).toMatchFileSnapshot(`rendered/${file}.txt`);
}

const keepEnd = (name: string) => (camera: Camera) => camera.end(name);

async function takeAt(
  width: Width,
  { place, run, shots, kept }: { place: Place; run: Run; shots: Shots; kept: Kept },
): Promise<void> {
  const { env, rows } = run;
  const argv = typeof run.argv === 'function' ? await run.argv(place.env(env)) : run.argv;
  const { act = keepEnd(run.name ?? `cs ${argv.join(' ')}`) } = run;
  const options: TerminalOptions = {
    columns: width,
    now: noon,
    cwd: place.cwd,
    env: place.env(env),
    ...(rows && { rows }),
  };
  const terminal = openTerminal(argv, options);
  const keep = (name: string) => {
    const one = shots.get(name) ?? new Map<Width, string>();
    shots.set(name, one.set(width, steady(terminal.screen())));
  };
  await act({
    terminal,
    async shot(name, shown) {
      await terminal.waitFor(shown);
      // While something is looked up, its spinner turns.
      await terminal.waitFor((screen) => !/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /m.test(screen));
      await comeToRest(() => steady(terminal.screen()), kept(name, width));
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
}

/** A screen is drawn in pieces: it is whole once it is as kept, and another one once it has stayed the same for two seconds. */
async function comeToRest(look: () => string, isKept: (screen: string) => boolean): Promise<void> {
  for (let [same, before] = [0, '']; same < 40 && !isKept(look()); ) {
    same = before === look() ? same + 1 : 0;
    before = look();
    await setTimeout(50);
  }
}

/** Whether a screen is as the file has it. */
type Kept = (name: string, width: Width) => (screen: string) => boolean;

async function readKept(file: string): Promise<Kept> {
  const path = join(import.meta.dirname, `rendered/${file}.txt`);
  const text = await readFile(path, 'utf8').catch(() => '');
  const sections = new Map(
    `\n${text}`
      .split('\n## ')
      .slice(1)
      .map((section) => {
        const [name = '', ...lines] = section.split('\n');
        return [name, lines.join('\n').trim()] as const;
      }),
  );
  return (name, width) => {
    const [usual = '', ...others] = (sections.get(name) ?? '').split(/^(?=— at \d+ —$)/m);
    const wanted = others.find((part) => part.startsWith(`— at ${width} —`));
    const lines = linesOf(usual.trim());
    return (screen) => {
      const shown = linesOf(screen.trim());
      if (width === 80) return sections.has(name) && shown.join('\n') === lines.join('\n');
      const different = shown.filter((line) => !lines.includes(line));
      return (
        sections.has(name) &&
        [`— at ${width} —`, ...different].join('\n') === (wanted ?? `— at ${width} —`).trim()
      );
    };
  };
}

/** What differs between two runs, in as many cells: ids, ports, and the code for a phone. */
const steady = (screen: string): string =>
  withoutCode(screen)
    .replace(
      /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
      '00000000-0000-7000-8000-000000000000',
    )
    .replace(/\b[0-9a-f]{8}\b(?!-)/g, '00000000')
    // The scene has a day of its own.
    .replace(/(?<=clock is )\d+(?= days)/g, (days) => '0'.repeat(days.length))
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

/** At 80 columns as it is; at the other width the lines that differ from that. */
const pageOf = (shots: Shots): string =>
  Array.from(shots, ([name, one]) => textOf(name, one)).join('\n');

function textOf(name: string, one: ReadonlyMap<Width, string>): string {
  const usual = linesOf(one.get(80));
  const others = widths
    .filter((width) => width !== 80)
    .map(
      (width) => [width, linesOf(one.get(width)).filter((line) => !usual.includes(line))] as const,
    )
    .filter(([, lines]) => lines.length > 0)
    .map(([width, lines]) => [`— at ${width} —`, ...lines].join('\n'));
  return [`## ${name}\n`, usual.join('\n'), ...others, ''].join('\n');
}

const linesOf = (screen = ''): string[] => screen.split('\n').map((line) => line.trimEnd());
