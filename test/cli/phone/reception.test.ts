/** The life of a code, by a clock that the test sets. */
import { expect, test } from 'vitest';
import { createReception } from '../../../src/cli/phone/reception.ts';

const minute = 60_000;

function reception() {
  let time = 0;
  const dropped: string[] = [];
  const made = createReception<string>({
    title: 'Emma · drop-off',
    keep: async (name, bytes) => ({ name, sizeBytes: bytes.length, note: '', photo: name }),
    drop: async (name) => void dropped.push(name),
    now: () => time,
    onChange: () => {},
  });
  const facts = (n: number, name: string) => ({ phone: 'p', n, name, type: 'image/jpeg', size: 3 });
  const at = (ms: number) => {
    time = ms;
  };
  return { made, dropped, facts, at };
}

test('a code ends after 15 minutes without a phone, and after 60 minutes in all', () => {
  const { made, at } = reception();
  at(15 * minute);
  expect(made.isExpired()).toBe(false);
  at(15 * minute + 1);
  expect(made.isExpired()).toBe(true);
  made.touch();
  expect(made.isExpired()).toBe(false);
  at(60 * minute + 1);
  made.touch();
  expect(made.isExpired()).toBe(true);
});

test('a new code after the end keeps what arrived', async () => {
  const { made, at, facts } = reception();
  const first = made.code();
  made.greet({ phone: 'p', device: 'iPhone' }, '192.0.2.7');
  await made.take(facts(1, 'a.jpg'), Buffer.from('aaa'));
  at(61 * minute);
  made.finish('expired');
  made.reopen();
  expect(made.isExpired()).toBe(false);
  expect(made.end()).toBeNull();
  expect(made.code().secret).not.toBe(first.secret);
  expect(made.photos()).toEqual(['a.jpg']);
});

test('dropping takes the last one, tells its phone, and the same photo may come again', async () => {
  const { made, facts, dropped } = reception();
  expect(await made.dropLast()).toBe(false);
  await made.take(facts(1, 'a.jpg'), Buffer.from('aaa'));
  await made.take(facts(2, 'b.jpg'), Buffer.from('bbb'));
  made.refuse(facts(3, 'c.txt'), 'no photo');
  expect(await made.dropLast()).toBe(true);
  expect(dropped).toEqual(['b.jpg']);
  expect(made.state('p').photos).toMatchObject({
    1: { status: 'there' },
    2: { status: 'dropped' },
    3: { status: 'refused' },
  });
  await made.take(facts(4, 'b.jpg'), Buffer.from('bbb'));
  expect(made.photos()).toEqual(['a.jpg', 'b.jpg']);
});

test('a copy is not kept twice, and goes with its photo', async () => {
  const { made, facts } = reception();
  await made.take(facts(1, 'a.jpg'), Buffer.from('aaa'));
  expect(await made.take(facts(2, 'again.jpg'), Buffer.from('aaa'))).toEqual({ status: 'copy' });
  expect([made.photos(), made.state('p').there]).toEqual([['a.jpg'], 1]);
  expect(await made.dropLast()).toBe(true);
  expect(made.state('p').photos).toEqual({ 1: { status: 'dropped' }, 2: { status: 'dropped' } });
  expect(await made.take(facts(3, 'a.jpg'), Buffer.from('aaa'))).toEqual({ status: 'there' });
});

test('a new code ends the one before it, and keeps what arrived', async () => {
  const { made, facts } = reception();
  const first = made.code();
  made.greet({ phone: 'p', device: 'iPhone' }, '192.0.2.7');
  await made.take(facts(1, 'a.jpg'), Buffer.from('aaa'));
  made.newCode();
  expect(made.code().secret).not.toBe(first.secret);
  expect(made.code().phone).toBeUndefined();
  expect(made.photos()).toEqual(['a.jpg']);
});
