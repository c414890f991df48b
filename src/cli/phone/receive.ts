/** Shows the code on the terminal and receives photos until the person at the counter goes on. */
import { setImmediate as turn } from 'node:timers/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import { reasonOf } from '../../client/failures.ts';
import type { Context } from '../context.ts';
import { usage } from '../errors/exit.ts';
import { asciiFallback } from '../terminal/ascii.ts';
import { lendKeyboard } from '../terminal/keyboard.ts';
import { holdNotices } from '../terminal/notices.ts';
import { pluralize } from '../terminal/text.ts';
import { hostOf } from './address.ts';
import { readPage } from './page.ts';
import { type ArrivedPhoto, createReception, type KeepPhoto } from './reception.ts';
import { adviceAfterMs, adviceFor, codeOf, drawScreen } from './screen.ts';
import { createPhoneServer, type PhoneServer } from './server.ts';

interface ReceiveOptions<P> {
  /** `HH-RS 73 · drop-off` */
  readonly title: string;
  /** The photos that there should be. */
  readonly checklist?: readonly string[];
  /** Photos that are there already. */
  readonly earlier?: readonly ArrivedPhoto<P>[];
  readonly keep: KeepPhoto<P>;
  readonly drop: (photo: P) => Promise<void>;
  /** The one of this machine that the phone reaches. */
  readonly address: string;
  /** The other ones, told when no phone comes. */
  readonly others: readonly string[];
  readonly port: number;
  /** Another port will do where this one is taken. */
  readonly orAnyPort: boolean;
}

const enterScreen = '\u001b[?1049h\u001b[?25l';
const leaveScreen = '\u001b[?25h\u001b[?1049l';
const home = '\u001b[H';
const eraseLine = '\u001b[K';
const eraseBelow = '\u001b[J';
const escapeKey = '\u001b';
const enterKeys = ['\r', '\n'];
const tick = 100;

/** The photos to go on with; none after Esc. Ctrl-C throws. */
export async function receivePhotos<P>(context: Context, options: ReceiveOptions<P>): Promise<P[]> {
  const { io, styles } = context;
  const { title, checklist, earlier, keep, drop, address, others } = options;
  const screen = io.stderr as WriteStream;
  const keyboard = io.stdin as ReadStream;
  const toTerminal = asciiFallback(io);
  const { promise: left, resolve: leave, reject: fail } = Promise.withResolvers<boolean>();
  let wasReached = false;
  let isSilent = false;
  let notice: string | undefined;
  /** The key that needs a second press. */
  let confirming: string | undefined;

  const reception = createReception<P>({
    title,
    checklist,
    earlier,
    keep,
    drop,
    onChange: () => {
      isStale = true;
    },
  });
  const server = createPhoneServer({
    reception,
    page: await readPage(),
    onRequest: () => {
      wasReached = true;
      isSilent = false;
    },
  });
  io.signal.throwIfAborted();
  const port = await listenOrExplain(server, options);
  const url = `http://${hostOf(address)}:${port}/#${reception.secret}`;
  const code = codeOf(context, url);
  let isStale = true;

  function draw(): void {
    isStale = false;
    const view = {
      title,
      url,
      code,
      notice,
      ...reception.state,
      listed: reception.listed,
      totalBytes: reception.totalBytes(),
      missing: reception.missing(),
      advice: adviceFor(io, { isSilent, port, others }),
    };
    const size = { columns: screen.columns || io.columns || 80, rows: screen.rows || 24 };
    const lines = drawScreen(view, size, styles).map((line) => `${line}${eraseLine}`);
    screen.write(`${home}${toTerminal(lines.join('\r\n'))}${eraseBelow}`);
  }

  async function press(typed: string): Promise<void> {
    const key = enterKeys.includes(typed) ? 'enter' : typed;
    const isAgain = key === confirming;
    confirming = notice = undefined;
    const arrivedCount = reception.photos().length;
    const ask = (question: string) => {
      confirming = key;
      notice = question;
    };
    if (key === 'enter') {
      if (arrivedCount === 0) notice = 'Nothing to send: Esc goes on without photos.';
      else if ((reception.state.arriving || reception.missing().length > 0) && !isAgain)
        ask('Enter again goes on without the photos that are missing or arriving.');
      else leave(true);
    } else if (key === escapeKey) {
      if (arrivedCount > 0 && !isAgain)
        ask(`Esc again leaves out the ${pluralize(arrivedCount, 'photo', 'photos')}.`);
      else leave(false);
    } else await reception.dropLast();
    draw();
  }

  const onKeys = (typed: Buffer | string) => {
    const key = String(typed).toLowerCase();
    // In raw mode Ctrl-C is a key, without a signal.
    if (key.includes('\u0003')) io.interrupt();
    // A paste is none of the keys.
    else if ([...enterKeys, escapeKey, 'x'].includes(key)) press(key).catch(fail);
  };
  const onAbort = () => fail(io.signal.reason);

  return lendKeyboard(io, () =>
    holdNotices(io, async () => {
      io.signal.addEventListener('abort', onAbort, { once: true });
      keyboard.setRawMode(true).on('data', onKeys).resume();
      screen.write(enterScreen);
      screen.on('resize', draw);
      // Photos arrive in thousands of parts.
      const timer = setInterval(() => isStale && draw(), tick);
      const silence = setTimeout(() => {
        isSilent = !wasReached;
        draw();
      }, adviceAfterMs);
      draw();
      try {
        const hasPhotos = await left;
        await server.close();
        while (!hasPhotos && (await reception.dropLast()));
        return reception.photos();
      } finally {
        clearInterval(timer);
        clearTimeout(silence);
        await server.close();
        io.signal.removeEventListener('abort', onAbort);
        screen.off('resize', draw);
        screen.write(leaveScreen);
        // What was typed meanwhile is read, and doesn't answer the next question.
        await turn();
        await turn();
        keyboard.off('data', onKeys).pause().setRawMode(false);
      }
    }),
  );
}

export async function listenOrExplain(
  server: PhoneServer,
  { address, port, orAnyPort }: Pick<ReceiveOptions<unknown>, 'address' | 'port' | 'orAnyPort'>,
): Promise<number> {
  try {
    return await server.listen(address, port, orAnyPort);
  } catch (error) {
    throw usage(
      `Couldn't listen on ${address}, port ${port}: ${reasonOf(error)}.`,
      'choose another address with --phone-address, or another port with --phone-port',
    );
  }
}
