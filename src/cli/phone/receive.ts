/** Shows the code on the terminal and receives photos until the person at the counter goes on. */
import { setImmediate as turn } from 'node:timers/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Context } from '../context.ts';
import { CliError, usage } from '../errors/exit.ts';
import { describeFsError } from '../errors/file-system.ts';
import { asciiFallback, supportsUnicode } from '../terminal/ascii.ts';
import { lendKeyboard } from '../terminal/keyboard.ts';
import { holdNotices } from '../terminal/notices.ts';
import { hasColor } from '../terminal/style.ts';
import { pluralize } from '../terminal/text.ts';
import { hostOf } from './address.ts';
import { adviceAtOnce, adviceForSilence } from './advice.ts';
import { readPage } from './page.ts';
import { type ArrivedPhoto, createReception, type KeepPhoto } from './reception.ts';
import { drawScreen } from './screen.ts';
import { createPhoneServer, type PhoneServer } from './server.ts';

interface ReceiveOptions<P> {
  /** `HH-RS 73 · drop-off` */
  readonly title: string;
  /** Photos that are there already. */
  readonly earlier?: readonly ArrivedPhoto<P>[];
  readonly keep: KeepPhoto<P>;
  readonly drop: (photo: P) => Promise<void>;
  /** The one of this machine that the phone reaches. */
  readonly address: string;
  /** Beside the code when no phone comes. */
  readonly advice?: readonly string[];
  readonly port: number;
  /** Another port will do where this one is taken. */
  readonly orAnyPort: boolean;
}

/** What left the screen: the photos to go on with; undefined for going on without. Ctrl-C throws. */
export type Received<P> = readonly P[] | undefined;

const enterScreen = '\u001b[?1049h\u001b[?25l';
const leaveScreen = '\u001b[?25h\u001b[?1049l';
const home = '\u001b[H';
const eraseLine = '\u001b[K';
const eraseBelow = '\u001b[J';
const escapeKey = '\u001b';
const keys: ReadonlySet<string> = new Set(['\r', '\n', escapeKey, 'n', 'x']);
const tick = 1_000;
const silentFor = 20_000;

export async function receivePhotos<P>(
  context: Context,
  options: ReceiveOptions<P>,
): Promise<Received<P>> {
  const { io, styles, settings } = context;
  const { title, earlier, keep, drop, address, advice = [], port: wantedPort, orAnyPort } = options;
  const screen = io.stderr as WriteStream;
  const keyboard = io.stdin as ReadStream;
  const toTerminal = asciiFallback(io);
  const canDrawCode =
    supportsUnicode(io) && io.env.TERM !== 'dumb' && hasColor(io, 'stderr', settings.color);
  const started = io.now().getTime();
  const {
    promise: left,
    resolve: leave,
    reject: fail,
  } = Promise.withResolvers<'send' | 'without'>();
  let port = wantedPort;
  let wasReached = false;
  let notice: string | undefined;
  /** The key that needs a second press. */
  let confirming: string | undefined;
  let isShown = false;

  const reception = createReception<P>({
    title,
    earlier,
    keep,
    drop,
    now: () => io.now().getTime(),
    onChange: () => draw(),
  });
  const server = createPhoneServer({
    reception,
    page: await readPage(),
    onRequest: () => {
      wasReached = true;
    },
  });
  const url = () => `http://${hostOf(address)}:${port}/#${reception.code().secret}`;
  const listen = async () => {
    port = await listenOrExplain(server, { address, port: wantedPort, orAnyPort });
  };

  function draw(): void {
    if (!isShown) return;
    const size = { columns: screen.columns || io.columns || 80, rows: screen.rows || 24 };
    const isSilent = !wasReached && io.now().getTime() - started > silentFor;
    const view = {
      ...{ title, url: url(), canDrawCode, notice, phone: reception.code().phone },
      ...{
        listed: reception.listed,
        arriving: [...reception.arriving],
        totalBytes: reception.totalBytes(),
      },
      advice: isSilent ? [...adviceForSilence(io, port), ...advice] : adviceAtOnce(io),
    };
    const lines = drawScreen(view, size, styles).map((line) => `${line}${eraseLine}`);
    screen.write(`${home}${toTerminal(lines.join('\r\n'))}${eraseBelow}`);
  }

  function look(): void {
    if (reception.end() === null && reception.isExpired()) {
      reception.finish('expired');
      notice = 'The code is over: no photo came for a while. n shows a new one.';
      server.close().catch(fail);
    }
    draw();
  }

  /** True for the second press of a key, and where one is enough. */
  function confirms(key: string, question: string | undefined): boolean {
    if (question === undefined || confirming === key) return true;
    confirming = key;
    notice = question;
    return false;
  }

  async function press(key: string): Promise<void> {
    if (key !== confirming) {
      confirming = undefined;
      if (reception.end() === null) notice = undefined;
    }
    const there = reception.photos().length;
    const arriving = reception.arriving.size;
    if (key === '\r' || key === '\n') {
      if (there === 0) notice = 'Nothing to send: Esc goes on without photos.';
      else if (
        confirms(
          key,
          arriving > 0 ? `Enter again goes on without ${arrivingPhotos(arriving)}.` : undefined,
        )
      )
        return leave('send');
    } else if (key === escapeKey) {
      const lost =
        there > 0 ? `Esc again leaves out the ${pluralize(there, 'photo', 'photos')}.` : undefined;
      if (confirms(key, lost)) return leave('without');
    } else if (key === 'n') {
      if (reception.end() === null) reception.newCode();
      else {
        reception.reopen();
        notice = undefined;
        await listen();
      }
    } else if (key === 'x') {
      await reception.dropLast();
    }
    draw();
  }

  const onKeys = (typed: Buffer | string) => {
    const key = String(typed);
    // In raw mode Ctrl-C is a key, without a signal.
    if (key.includes('\u0003')) io.interrupt();
    // A paste is none of the keys.
    else if (keys.has(key.toLowerCase())) press(key.toLowerCase()).catch(fail);
  };
  const onAbort = () => fail(io.signal.reason);

  io.signal.throwIfAborted();
  await listen();
  return lendKeyboard(io, () =>
    holdNotices(io, async () => {
      io.signal.addEventListener('abort', onAbort, { once: true });
      keyboard.setRawMode(true).on('data', onKeys).resume();
      screen.write(enterScreen);
      screen.on('resize', draw);
      isShown = true;
      const timer = setInterval(look, tick);
      draw();
      try {
        const how = await left;
        reception.finish(how === 'send' ? 'taken' : 'left');
        if (how === 'without') {
          while (await reception.dropLast());
        }
        await server.close();
        return how === 'send' ? reception.photos() : undefined;
      } catch (error) {
        reception.finish('stopped');
        await server.close();
        throw error;
      } finally {
        isShown = false;
        clearInterval(timer);
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

const arrivingPhotos = (count: number): string =>
  count === 1 ? 'the photo that is arriving' : `the ${count} photos that are arriving`;

async function listenOrExplain(
  server: PhoneServer,
  {
    address,
    port,
    orAnyPort,
  }: { readonly address: string; readonly port: number; readonly orAnyPort: boolean },
): Promise<number> {
  try {
    return await server.listen(address, port, orAnyPort);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw usage(`Port ${port} is taken on ${address}.`, 'choose another one with --phone-port');
    if (code === 'EADDRNOTAVAIL')
      throw usage(
        `${address} isn't an address of this machine.`,
        'choose one of its addresses with --phone-address',
      );
    throw new CliError({
      code: 'usage',
      exitCode: 1,
      message: `Couldn't listen on ${address}, port ${port}: ${describeFsError(error)}.`,
      hint: 'choose another address with --phone-address, or another port with --phone-port',
      cause: error,
    });
  }
}
