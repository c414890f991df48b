/** Questions to a person with a phone: asked one at a time, answered by the first phone alone. */
import { expect, test } from 'vitest';
import { createQuestions } from '../../../src/cli/phone/questions.ts';
import type { Phone } from '../../../src/cli/phone/reception.ts';

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
