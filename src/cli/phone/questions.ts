/** Questions to a person who walks about with a phone, one at a time, on the page that also takes photos. */

import { loadSharp } from '../../parts.ts';
import {
  type Hello,
  type PhotoFacts,
  photoLimits,
  type Question,
  type Said,
  type Settled,
  tooLarge,
  type Welcome,
} from '../../phone/protocol.ts';
import type { Context } from '../context.ts';
import { ignoreKeys } from '../terminal/keyboard.ts';
import { addressesFor, hostOf, type PhoneAddressFlags } from './address.ts';
import { readPage } from './page.ts';
import { listenOrExplain } from './receive.ts';
import type { Phone } from './reception.ts';
import { adviceAfterMs, adviceFor, codeOf } from './screen.ts';
import { newSecret, sealWith } from './seal.ts';
import { createPhoneServer } from './server.ts';

/** Resolves with what is tapped, typed or scanned. */
export type AskOnPhone = (question: Omit<Question, 'number'>) => Promise<string>;

interface Options extends PhoneAddressFlags {
  /** `Hall A` */
  readonly title: string;
  /** What the phone shows at the end. */
  readonly atEnd: string;
}

/** Shows the code on the terminal, and lets `task` ask until it ends. Ctrl-C throws. */
export async function withPhone<T>(
  context: Context,
  { title, atEnd, ...flags }: Options,
  task: (ask: AskOnPhone) => Promise<T>,
): Promise<T> {
  const { io, styles, note } = context;
  const { address, ...listening } = await addressesFor(flags);
  const questions = createQuestions(title, ({ device }) => note(`${device} connected.`));
  let advise: NodeJS.Timeout | undefined;
  const server = createPhoneServer({
    reception: questions,
    page: await readPage(),
    onRequest: () => clearTimeout(advise),
  });
  const port = await listenOrExplain(server, { address, ...listening });
  const url = `http://${hostOf(address)}:${port}/#${questions.secret}`;
  const code = codeOf(context, url);
  const how =
    code.length > 0 ? "Scan with the phone's camera:" : "Type this into the phone's browser:";
  io.stderr.write(`${[...code, `${how} ${styles.command(url)}`].join('\n')}\n`);
  note('The phone must be in the same network. Ctrl-C ends, and the notes stay.');
  const tell = (isSilent: boolean) => {
    const advice = adviceFor(io, { isSilent, port, others: listening.others });
    if (advice.length > 0) note(advice.join('\n'));
  };
  tell(false);
  advise = setTimeout(tell, adviceAfterMs, true);
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(io.signal.reason);
  io.signal.addEventListener('abort', stop, { once: true });
  try {
    const result = await ignoreKeys(context, () =>
      Promise.race([task((question) => Promise.race([questions.ask(question), stopped])), stopped]),
    );
    questions.end(atEnd);
    await Promise.race([server.close({ last: true }), stopped]);
    return result;
  } finally {
    io.signal.removeEventListener('abort', stop);
    clearTimeout(advise);
    await server.close();
  }
}

export function createQuestions(title: string, onPhone: (phone: Phone) => void = () => {}) {
  const secret = newSecret();
  const state: { phone: Phone | undefined } = { phone: undefined };
  let number = 0;
  /** Resolved once it is asked. */
  let current = Promise.withResolvers<Question>();
  let answered: ((text: string) => void) | undefined;
  return {
    secret,
    seal: sealWith(secret),
    state: state as Readonly<typeof state>,
    fail() {},
    progress() {},
    async greet({ phone: id, device }: Hello, address: string): Promise<Welcome | undefined> {
      if (!state.phone) {
        state.phone = { id, device: device.slice(0, 40), address };
        onPhone(state.phone);
      }
      if (state.phone.id !== id) return undefined;
      return { title, checklist: [], received: [], question: await current.promise };
    },
    refusal: ({ size }: PhotoFacts): Settled | undefined =>
      size > photoLimits.bytes ? { status: 'refused', message: tooLarge } : undefined,
    async take(_: PhotoFacts, bytes: Buffer): Promise<Settled> {
      const text = await readCode(bytes);
      if (text !== undefined) return { status: 'received', text };
      return { status: 'refused', message: 'No code found in the photo: go nearer, or type it.' };
    },
    hear(said: Said): Promise<Question> {
      if (said.number === number) answered?.(said.text);
      return current.promise;
    },
    ask(question: Omit<Question, 'number'>): Promise<string> {
      const { promise, resolve } = Promise.withResolvers<string>();
      number += 1;
      current.resolve({ number, ...question });
      answered = (text) => {
        answered = undefined;
        current = Promise.withResolvers();
        resolve(text);
      };
      return promise;
    },
    end: (label: string): void => current.resolve({ number: number + 1, label, choices: {} }),
  };
}

type Read = (rgba: Uint8ClampedArray, width: number, height: number) => { data: string } | null;

/**
 * The text of the code in a photo. A small one is found in more pixels, a blurred one in fewer; many more take seconds in which
 * nothing else answers.
 */
async function readCode(bytes: Buffer): Promise<string | undefined> {
  const [sharp, { default: jsqr }] = await Promise.all([loadSharp(), import('jsqr')]);
  // The package is a CommonJS module, whose function is its default export.
  const read = ((jsqr as { default?: unknown }).default ?? jsqr) as unknown as Read;
  for (const side of [800, 1200]) {
    const pixels = await sharp(bytes)
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
      // Not a photo.
      .catch(() => undefined);
    if (!pixels) return undefined;
    const { data, info } = pixels;
    const found = read(new Uint8ClampedArray(data), info.width, info.height);
    if (found?.data) return found.data;
  }
  return undefined;
}
