/** Questions to a person with a phone: asked one at a time, answered by the first phone alone. */
import sharp from 'sharp';
import { encode } from 'uqr';
import { expect, test, vi } from 'vitest';
import { type AskOnPhone, createQuestions, withPhone } from '../../../src/cli/phone/questions.ts';
import type { Phone } from '../../../src/cli/phone/reception.ts';
import { noStyles } from '../../../src/cli/terminal/style.ts';
import { phoneAt } from '../../helpers/phone-counter.ts';

const facts = (size: number) => ({ phone: 'p', id: 'a', name: 'a.jpg', size });
const said = (number: number, text: string) => ({ phone: 'p', number, text });

test('the first phone that greets gets the question that stands, another one none', async () => {
  const phones: Phone[] = [];
  const questions = createQuestions('Hall A', (phone) => phones.push(phone));
  const answer = questions.ask({ label: 'Spot A1?', choices: {} });
  const first = { number: 1, label: 'Spot A1?', choices: {} };
  const welcome = { title: 'Hall A', checklist: [], received: [], question: first };
  const hello = { phone: 'p', device: 'x'.repeat(41) };
  expect(await questions.greet(hello, '10.0.0.2')).toEqual(welcome);
  expect(await questions.greet(hello, '10.0.0.3')).toEqual(welcome);
  expect(await questions.greet({ ...hello, phone: 'q' }, '10.0.0.4')).toBeUndefined();
  const phone = { id: 'p', device: 'x'.repeat(40), address: '10.0.0.2' };
  expect([phones, questions.state]).toEqual([[phone], { phone }]);

  // What was said to an earlier or a later question answers none.
  expect(await questions.hear(said(0, 'early'))).toEqual(first);
  expect(await questions.hear(said(2, 'late'))).toEqual(first);
  const next = questions.hear(said(1, 'yes'));
  expect(await answer).toBe('yes');
  // Said twice, as by a phone that didn't hear the answer.
  const again = questions.hear(said(1, 'no'));
  const second = questions.ask({ label: 'Spot A2?', choices: { y: 'Yes' } });
  const asked = { number: 2, label: 'Spot A2?', choices: { y: 'Yes' } };
  expect(await Promise.all([next, again])).toEqual([asked, asked]);
  const last = questions.hear(said(2, 'there'));
  expect(await second).toBe('there');
  questions.end('Done.');
  expect(await last).toEqual({ number: 3, label: 'Done.', choices: {} });
});

test('a photo of 40 MB passes; one without a code is refused', async () => {
  const questions = createQuestions('Hall A');
  expect(questions.refusal(facts(40_000_000))).toBeUndefined();
  expect(questions.refusal(facts(40_000_001))).toEqual({
    ...{ status: 'refused', message: 'Larger than 40 MB' },
  });
  expect(await questions.take(facts(3), Buffer.from('abc'))).toEqual({
    ...{ status: 'refused', message: 'No code found in the photo: go nearer, or type it.' },
  });
});

/** The questions of a task as the terminal shows them, once the phone can come. */
async function begin<T>(env: object, task: (ask: AskOnPhone) => Promise<T>) {
  const [notes, stopping] = [[] as string[], new AbortController()];
  let shown = '';
  const stderr = { write: (text: string) => (shown += text) };
  const io = { env, stderr, stderrIsTerminal: true, signal: stopping.signal };
  const note = (text: string) => notes.push(text);
  const context = { io, settings: { color: 'auto' }, styles: noStyles, note } as never;
  const options = { title: 'Hall A', atEnd: 'Done.', phoneAddress: '127.0.0.1' };
  const result = withPhone(context, options, task);
  await vi.waitFor(() => expect(notes).not.toEqual([]));
  const lines = shown.trimEnd().split('\n');
  const [url = ''] = /http:.*/.exec(lines.at(-1) ?? '') ?? [];
  return { result, stopping, notes, lines, url, phone: phoneAt(url) };
}

test.each([
  [{ TERM: 'dumb' }, 0, "Type this into the phone's browser:"],
  [{}, 17, "Scan with the phone's camera:"],
])(
  'the environment %j: a code of %i lines, and a phone answers until the end',
  async (env, height, how) => {
    const { result, notes, lines, url, phone } = await begin(env, async (ask) => [
      await ask({ label: 'Spot A1?', choices: {} }),
      await ask({ label: 'Spot A2?', choices: {} }),
    ]);
    expect([lines.length, lines.at(-1)]).toEqual([height + 1, `${how} ${url}`]);
    expect((await phone.hello('Pixel')).content).toMatchObject({
      title: 'Hall A',
      question: { number: 1, label: 'Spot A1?' },
    });
    expect(notes).toEqual([
      'The phone must be in the same network. Ctrl-C ends, and the notes stay.',
      'Pixel connected.',
    ]);
    expect((await phone.photo(await labelOf('HH-E 61H'))).content).toEqual({
      status: 'received',
      text: 'HH-E 61H',
    });
    expect((await phoneAt(url, 'phone-2').said(1, 'no')).status).toBe(409);
    expect((await phone.said(1, 'yes')).content).toMatchObject({ number: 2, label: 'Spot A2?' });
    const last = { number: 3, label: 'Done.', choices: {} };
    expect((await phone.said(2, 'no')).content).toEqual(last);
    expect(await result).toEqual(['yes', 'no']);
    await expect(phone.hello()).rejects.toThrow('ECONNREFUSED');
  },
);

test('an interrupt ends the question, and nothing listens any more', async () => {
  const env = { WSL_DISTRO_NAME: 'Ubuntu' };
  const { result, stopping, phone, notes } = await begin(env, (ask) =>
    ask({ label: 'A1?', choices: {} }),
  );
  expect(notes.slice(1)).toEqual([
    "In WSL the phone can't reach the machine that cs runs on. Go on without it.",
  ]);
  stopping.abort(new Error('Ctrl-C'));
  await expect(result).rejects.toThrow('Ctrl-C');
  await expect(phone.hello()).rejects.toThrow('ECONNREFUSED');
});

/** A photo of a label. */
async function labelOf(text: string): Promise<Buffer> {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const pixels = Buffer.from(data.flat().map((isDark) => (isDark ? 0 : 255)));
  const image = sharp(pixels, { raw: { width: size, height: size, channels: 1 } });
  return image
    .resize(size * 4, size * 4, { kernel: 'nearest' })
    .jpeg()
    .toBuffer();
}
