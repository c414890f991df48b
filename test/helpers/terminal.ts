/** `cs` on a terminal that ends with the test. */
import { clearLine, cursorTo, type Direction, moveCursor } from 'node:readline';
import { PassThrough, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { Interrupted } from '../../src/cli/errors/ended-run.ts';
import { run } from '../../src/cli/program.ts';
import { ioOf } from './cli.ts';
import { ownEnvironment } from './own-home.ts';
import {
  type Start,
  startTerminal,
  type Terminal,
  type TerminalOptions,
} from './pseudo-terminal.ts';

export type { Cell, Terminal } from './pseudo-terminal.ts';
export type { Options as TerminalOptions };

interface Options extends TerminalOptions {
  /**
   * As a process of its own, of the built command: for what the system does with processes and terminals, such as signals and time zones, and for
   * one walk through each command. In the process of the tests it takes a third of the time.
   */
  readonly ownProcess?: boolean;
}

/** Starts `cs` on a terminal of 80 × 24, which ends with the test. */
export function openTerminal(argv: readonly string[], options: Options = {}): Terminal {
  const { ownProcess = false, program, andThen } = options;
  if (ownProcess || program !== undefined || andThen !== undefined) {
    const terminal = startTerminal(argv, options);
    onTestFinished(() => terminal.close());
    return terminal;
  }
  const terminal = startTerminal(argv, options, startHere);
  onTestFinished(async () => {
    terminal.kill();
    await terminal.exited;
    terminal.close();
  });
  return terminal;
}

/** Keys that nobody reads yet wait. */
class Keyboard extends PassThrough {
  readonly isTTY = true;
  isRaw = false;

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }
}

class Screen extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;

  constructor({ columns, rows }: { columns: number; rows: number }, show: (text: string) => void) {
    super({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        show(chunk.toString().replace(/\r?\n/g, '\r\n'));
        done();
      },
    });
    this.columns = columns;
    this.rows = rows;
  }

  /** A prompt ends what it writes to, unless it is the one of the process. */
  override end(): this {
    return this;
  }

  getColorDepth(): number {
    return 8;
  }

  clearLine = (direction: Direction) => clearLine(this, direction);
  cursorTo = (column: number) => cursorTo(this, column);
  moveCursor = (columns: number, rows: number) => moveCursor(this, columns, rows);
}

const startHere: Start = (argv, options, on) => {
  const stopping = new AbortController();
  const interrupt = () => stopping.abort(new Interrupted('SIGINT'));
  const [stdin, stdout] = [new Keyboard(), new Screen(options, on.data)];
  const { env = {}, cwd = '/', now } = options;
  const io = ioOf({
    stdin,
    stdout,
    stderr: stdout,
    env: { ...ownEnvironment(), TERM: 'xterm-256color', ...env },
    cwd,
    home: ownEnvironment().HOME ?? '/nowhere',
    stdinIsTerminal: true,
    stdoutIsTerminal: true,
    stderrIsTerminal: true,
    columns: options.columns,
    rows: options.rows,
    signal: stopping.signal,
    interrupt,
    now: () => now ?? new Date(),
    // Of a second at most, a fiftieth: the pause after typing, and the one of `--watch 1`.
    pause: (ms, signal) => delay(ms > 1_000 ? ms : ms / 50, undefined, { signal }),
  });
  void run(argv, io).then(on.exit);
  return {
    write(keys) {
      if (keys === '\u0003' && !stdin.isRaw) return interrupt();
      // A terminal shows what is typed, unless the program reads key by key.
      if (!stdin.isRaw) on.data(keys.replaceAll('\r', '\r\n'));
      stdin.write(keys);
    },
    resize(columns, rows) {
      Object.assign(io, { columns, rows });
      Object.assign(stdout, { columns, rows }).emit('resize');
    },
    kill: interrupt,
  };
};
