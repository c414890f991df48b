/** The live view of `cs board --watch` and `cs today --watch`: full screen until q or a signal, then the terminal is restored. */
import { setTimeout as delay, setImmediate as turnOfLoop } from 'node:timers/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Context } from '../../context.ts';
import type { ExitCode } from '../../errors/exit.ts';
import { exitCodeOf, reportOf } from '../../errors/report.ts';
import { asciiFallback } from '../../terminal/ascii.ts';
import { holdNotices } from '../../terminal/notices.ts';
import { stylesFor } from '../../terminal/style.ts';
import { drawScreen } from './draw.ts';
import { runFlow } from './flow.ts';
import { createKeyReader, leavePastes, markPastes } from './keys.ts';
import type { LiveViews, ViewName } from './picture.ts';
import {
  type Action,
  type LiveState,
  press,
  startState,
  withFailure,
  withPicture,
  withView,
} from './state.ts';

const enter = `\u001b[?1049h\u001b[?25l${markPastes}`;
const leave = `${leavePastes}\u001b[?25h\u001b[?1049l`;
const home = '\u001b[H';
const eraseLine = '\u001b[K';
const eraseBelow = '\u001b[J';

const viewTitles: Readonly<Record<ViewName, string>> = { board: 'the board', today: 'today' };
/** Notices about requests that are kept until the view ends. */
const keptNotices = 100;

/** Rate limits, broken connections and server errors; waiting doesn't help with others. */
const isTemporary = (error: unknown) => [8, 9, 10].includes(exitCodeOf(error));

/** Exit 0 after q, the signal's code after a signal. */
export async function watchLive(
  context: Context,
  first: ViewName,
  views: LiveViews,
): Promise<ExitCode> {
  const { io } = context;
  // Before full screen: a first failure is reported as usual.
  const picture = await views[first].read({ signal: io.signal });
  const state = withPicture(startState(first), first, { picture, readAt: io.now() });
  const watch = () => watchFrom(context, views, state);
  return io.stderrIsTerminal ? holdNotices(io, watch) : watch();
}

async function watchFrom(context: Context, views: LiveViews, start: LiveState): Promise<ExitCode> {
  const { io, settings } = context;
  const output = io.stdout as WriteStream;
  const keyboard = context.interactive ? (io.stdin as ReadStream) : undefined;
  const styles = stylesFor(io, 'stdout', settings.color);
  const toTerminal = asciiFallback(io);
  const keysOf = createKeyReader();
  let state = start;
  let page = 1;
  let wanted: Action | undefined;
  // Aborted by a key that asks for something else than the read or the wait that is going on.
  let turn = new AbortController();
  let ignoresKeys = true;

  const show = () => {
    const [width, height] = [output.columns || 80, output.rows || 24];
    const { seconds } = views[state.view];
    const { lines, top, room } = drawScreen(state, {
      width,
      height,
      styles,
      toTerminal,
      seconds,
      hasKeys: keyboard !== undefined,
    });
    state = { ...state, top };
    page = Math.max(1, room - 1);
    output.write(`${home}${lines.map((line) => `${line}${eraseLine}`).join('\r\n')}${eraseBelow}`);
  };
  const onKeys = (chunk: Buffer | string) => {
    // A key that is held down sends several at once.
    for (const key of keysOf(chunk)) {
      if (ignoresKeys) continue;
      const pressed = press(state, key, page);
      state = pressed.state;
      if (!pressed.action) continue;
      if (pressed.action.kind === 'interrupt') io.interrupt();
      wanted = pressed.action;
      turn.abort();
      // Keys after it were typed for another screen.
      break;
    }
    if (!ignoresKeys && wanted === undefined) show();
  };
  const open = async () => {
    output.write(enter);
    // Keys that were typed before the view is there are read and dropped.
    ignoresKeys = true;
    keyboard?.setRawMode(true).on('data', onKeys).resume();
    await turnOfLoop();
    await turnOfLoop();
    ignoresKeys = false;
    output.on('resize', show);
    show();
  };
  const close = () => {
    output.off('resize', show);
    keyboard?.off('data', onKeys).pause().setRawMode(false);
    output.write(leave);
  };

  async function read(signal: AbortSignal): Promise<void> {
    const { view } = state;
    try {
      // It is read again soon, so a failure is shown without retries.
      const picture = await views[view].read({ signal, retries: 0 });
      state = withPicture(state, view, { picture, readAt: io.now() });
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) throw error;
      state = withFailure(state, view, error);
    }
    io.run.heldNotices?.splice(0, io.run.heldNotices.length - keptNotices);
  }

  /** Another view is shown once it has been read. Until then, and if that fails, this one stays. */
  async function change(view: ViewName, signal: AbortSignal): Promise<void> {
    if (!state.shown[view]) {
      state = { ...state, message: { text: `Reading ${viewTitles[view]} …` } };
      show();
      try {
        const picture = await views[view].read({ signal, retries: 0 });
        state = withPicture(state, view, { picture, readAt: io.now() });
      } catch (error) {
        if (signal.aborted) throw error;
        state = {
          ...state,
          message: {
            text: `Couldn't read ${viewTitles[view]}: ${reportOf(error).message}`,
            isWarning: true,
          },
        };
        return;
      }
    }
    state = { ...withView(state, view), message: undefined };
  }

  async function perform(action: Action, signal: AbortSignal): Promise<void> {
    if (action.kind === 'show' && action.view !== state.view) await change(action.view, signal);
    if (action.kind !== 'start') return;
    close();
    try {
      state = { ...state, message: await runFlow(context, action, viewTitles[state.view]) };
    } finally {
      await open();
    }
  }

  await open();
  try {
    while (!io.signal.aborted) {
      const action = wanted;
      wanted = undefined;
      if (action?.kind === 'leave') return 0;
      turn = new AbortController();
      const signal = AbortSignal.any([io.signal, turn.signal]);
      try {
        if (action) {
          await perform(action, signal);
          show();
          await read(signal);
          show();
        }
        await delay(views[state.view].seconds * 1_000, undefined, { signal });
        await read(signal);
        show();
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  } finally {
    close();
  }
  return exitCodeOf(io.signal.reason);
}
