/** `cs` on a real pseudo-terminal, with the screen as a person sees it. */
import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { onTestFinished } from 'vitest';
import { ownEnvironment } from './own-home.ts';

const root = join(import.meta.dirname, '../..');
const keys = {
  enter: '\r',
  down: '\u001b[B',
  up: '\u001b[A',
  backspace: '\u007f',
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
  /** Run by a shell on the same terminal once `cs` has ended. */
  readonly andThen?: string;
  /** What its clock shows; it stands still. The real time when left out. */
  readonly now?: Date;
  /** Another program in place of `cs`, such as a shell. */
  readonly program?: string;
}

export interface Terminal {
  /** Resolves with the screen once it shows the text; fails when the program ends without. */
  waitFor(text: string | RegExp): Promise<string>;
  type(text: string): void;
  press(key: keyof typeof keys): void;
  /** What is to be seen now, without the space at the ends of lines and below. */
  screen(): string;
  /** Everything that was written, control sequences included. */
  raw(): string;
  /** The exit code, once the program has ended and all it wrote is on the screen. */
  readonly exited: Promise<number>;
}

/** How long a text may take to appear before the wait is given up and the screen is shown, in milliseconds. */
const patienceMs = 15_000;

/** The environment of a process of Node.js whose clock is to show this time. */
const clockAt = (now: Date) => ({ NODE_OPTIONS: `--import=${import.meta.resolve('./clock-script.ts')}`, CS_TEST_NOW: now.toISOString() });

/** Starts `cs` on a terminal of 80 × 24; ended with the test. */
export function openTerminal(argv: readonly string[], options: TerminalOptions = {}): Terminal {
  const { env = {}, cwd = root, columns = 80, rows = 24, now, andThen, program } = options;
  const display = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const command = program === undefined ? [process.execPath, join(root, 'bin/cs.js'), ...argv] : [program, ...argv];
  const [file = '', ...args] = andThen === undefined ? command : ['sh', '-c', `"$@"; ${andThen}`, 'sh', ...command];
  const pty: IPty = spawn(file, args, {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd,
    env: { ...ownEnvironment(), TERM: 'xterm-256color', ...(now && clockAt(now)), ...env },
  });
  let written = '';
  let code: number | undefined;
  const changed = new Set<() => void>();
  const tell = () => {
    for (const look of [...changed]) look();
  };
  pty.onData((data) => {
    written += data;
    display.write(data, tell);
  });
  const exited = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => {
      // An empty write comes back when all before it has been drawn.
      display.write('', () => {
        code = exitCode;
        tell();
        resolve(exitCode);
      });
    });
  });
  onTestFinished(() => {
    if (code === undefined) pty.kill('SIGKILL');
    display.dispose();
  });

  function screen(): string {
    const { active } = display.buffer;
    const lines = Array.from({ length: rows }, (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '');
    return lines.join('\n').trimEnd();
  }

  return {
    screen,
    raw: () => written,
    exited,
    type: (text) => pty.write(text),
    press: (key) => pty.write(keys[key]),
    waitFor(text) {
      return new Promise((resolve, reject) => {
        const shows = () => (typeof text === 'string' ? screen().includes(text) : text.test(screen()));
        const end = (settle: () => void) => {
          changed.delete(look);
          clearTimeout(patience);
          settle();
        };
        const fail = (why: string) => end(() => reject(new Error(`${why} without showing ${text}. The screen:\n${screen()}`)));
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
