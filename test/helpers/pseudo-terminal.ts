/** `cs` on a terminal, with the visible screen; also for programs that aren't tests. */
import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { bin, builtWords } from './built.ts';
import { ownEnvironment } from './own-home.ts';

const root = join(import.meta.dirname, '../..');
const keys = {
  enter: '\r',
  down: '\u001b[B',
  up: '\u001b[A',
  'shift-tab': '\u001b[Z',
  backspace: '\u007f',
  escape: '\u001b',
  'ctrl-c': '\u0003',
  'ctrl-d': '\u0004',
  'ctrl-u': '\u0015',
  tab: '\t',
};

export interface TerminalOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly columns?: number;
  readonly rows?: number;
  /** A shell command that runs on the same terminal after `cs` has ended. */
  readonly andThen?: string;
  /** The time of its stopped clock (default: the real time). */
  readonly now?: Date;
  /** Another program instead of `cs`, such as a shell. */
  readonly program?: string;
  /** The time limit for a text to appear; after that the failure shows the screen. */
  readonly patienceMs?: number;
}

export interface Cell {
  readonly text: string;
  /** Numbers of the palette of 256 colours; undefined for the terminal's own. */
  readonly foreground: number | undefined;
  readonly background: number | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly underlined: boolean;
}

export interface Terminal {
  /** Resolves with the screen once it shows the text, or is as it should be; fails if the program ends before. */
  waitFor(text: string | RegExp | ((screen: string) => boolean)): Promise<string>;
  type(text: string): void;
  press(key: keyof typeof keys): void;
  resize(columns: number, rows: number): void;
  /** The current screen, without trailing spaces and lines. */
  screen(): string;
  /** The current screen with its colours, row by row. */
  cells(): Cell[][];
  /** The complete output, including control sequences. */
  raw(): string;
  /** The exit code, once the program has ended and its complete output is on the screen. Of a killed program 128 and the signal, as in a shell. */
  readonly exited: Promise<number>;
  /** Ends the program as `kill -9` does. */
  kill(): void;
}

/** Where a sentence breaks depends on the names in it, which differ from run to run. */
const unwrapped = (screen: string) => screen.replace(/\s*\n\s*/g, ' ');

/** The environment for a Node.js process with its clock stopped at this time; the executable takes none. */
const clockAt = (now: Date) => ({
  NODE_OPTIONS: `--import=${import.meta.resolve('./clock-script.mjs')}`,
  CS_TEST_NOW: now.toISOString(),
});

/** What runs on a terminal. */
export interface Program {
  write(keys: string): void;
  resize(columns: number, rows: number): void;
  kill(): void;
}

/** Starts what runs on a terminal, and tells the terminal what it writes, and how it ends. */
export type Start = (
  argv: readonly string[],
  options: TerminalOptions & { readonly columns: number; readonly rows: number },
  on: { data(written: string): void; exit(code: number): void },
) => Program;

/** A process on a real pseudo-terminal. */
const startProcess: Start = (argv, options, on) => {
  const { env = {}, cwd = root, now, andThen, program, columns, rows } = options;
  const command =
    program === undefined
      ? [...(now ? [process.execPath, bin] : builtWords), ...argv]
      : [program, ...argv];
  const [file = '', ...args] =
    andThen === undefined ? command : ['sh', '-c', `"$@"; ${andThen}`, 'sh', ...command];
  const pty: IPty = spawn(file, args, {
    name: env.TERM ?? 'xterm-256color',
    cols: columns,
    rows,
    cwd,
    env: { ...ownEnvironment(), TERM: 'xterm-256color', ...(now && clockAt(now)), ...env },
  });
  pty.onData(on.data);
  pty.onExit(({ exitCode, signal }) => on.exit(signal ? 128 + signal : exitCode));
  return {
    write: (keys) => pty.write(keys),
    resize: (newColumns, newRows) => pty.resize(newColumns, newRows),
    kill: () => pty.kill('SIGKILL'),
  };
};

/** Starts `cs` on a terminal of 80 × 24. */
export function startTerminal(
  argv: readonly string[],
  options: TerminalOptions = {},
  start: Start = startProcess,
): Terminal & { close(): void } {
  const { patienceMs = 60_000 } = options;
  let { columns = 80, rows = 24 } = options;
  const display = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  let written = '';
  let code: number | undefined;
  const changed = new Set<() => void>();
  const tell = () => {
    for (const look of [...changed]) look();
  };
  const { promise: exited, resolve: exit } = Promise.withResolvers<number>();
  const program = start(
    argv,
    { ...options, columns, rows },
    {
      data(data) {
        written += data;
        display.write(data, tell);
      },
      // An empty write completes after all earlier output has been drawn.
      exit: (exitCode) =>
        display.write('', () => {
          code = exitCode;
          tell();
          exit(exitCode);
        }),
    },
  );
  function kill(): void {
    if (code === undefined) program.kill();
  }

  function close(): void {
    kill();
    display.dispose();
  }

  function screen(): string {
    const { active } = display.buffer;
    const lines = Array.from(
      { length: rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
    );
    return lines.join('\n').trimEnd();
  }

  function cells(): Cell[][] {
    const { active } = display.buffer;
    return Array.from({ length: rows }, (_, row) => {
      const line = active.getLine(active.baseY + row);
      return Array.from({ length: columns }, (__, column) => {
        const cell = line?.getCell(column);
        return {
          text: cell?.getChars() || ' ',
          foreground: cell?.isFgPalette() ? cell.getFgColor() : undefined,
          background: cell?.isBgPalette() ? cell.getBgColor() : undefined,
          bold: Boolean(cell?.isBold()),
          dim: Boolean(cell?.isDim()),
          underlined: Boolean(cell?.isUnderline()),
        };
      });
    });
  }

  return {
    close,
    kill,
    screen,
    cells,
    raw: () => written,
    exited,
    type: (text) => program.write(text),
    press: (key) => program.write(keys[key]),
    resize(newColumns, newRows) {
      [columns, rows] = [newColumns, newRows];
      display.resize(columns, rows);
      program.resize(columns, rows);
    },
    waitFor(text) {
      return new Promise((resolve, reject) => {
        const shows = () => {
          if (typeof text === 'string')
            return [screen(), unwrapped(screen())].some((shown) => shown.includes(text));
          return text instanceof RegExp ? text.test(screen()) : text(screen());
        };
        const end = (settle: () => void) => {
          changed.delete(look);
          clearTimeout(patience);
          settle();
        };
        const fail = (why: string) =>
          end(() => reject(new Error(`${why} without showing ${text}. The screen:\n${screen()}`)));
        const look = () => {
          if (shows()) end(() => resolve(screen()));
          else if (code !== undefined) fail(`cs ended with ${code}`);
        };
        const patience = setTimeout(() => fail(`${patienceMs / 1000} s passed`), patienceMs);
        changed.add(look);
        look();
      });
    },
  };
}
