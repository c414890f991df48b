/** What the page seals in JavaScript, `cs` opens with the system's library, and the other way round. */
import { expect, test } from 'vitest';
import { sealWith as counterSeal, newSecret } from '../../../src/cli/phone/seal.ts';
import { sealWith as phoneSeal } from '../../../src/phone/seal.ts';
import fc from '../../helpers/property.ts';

const pair = (secret = newSecret()) => {
  const phone = phoneSeal(secret);
  if (!phone) throw new Error('no secret');
  return { phone, counter: counterSeal(secret) };
};

test('both sides open each other', () => {
  const { phone, counter } = pair();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.string(), (content, purpose) => {
      expect(counter.open(phone.seal(content, purpose), purpose)).toEqual(Buffer.from(content));
      expect(Buffer.from(phone.open(counter.seal(content, purpose), purpose))).toEqual(
        Buffer.from(content),
      );
    }),
  );
});

test('a changed byte, another purpose, another secret and the way back open nothing', () => {
  const { phone, counter } = pair();
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), (content, at) => {
      const sealed = phone.seal(content, 'hello');
      const changed = Uint8Array.from(sealed);
      changed[at % changed.length] = (changed[at % changed.length] ?? 0) ^ 1;
      expect(counter.open(changed, 'hello')).toBeUndefined();
      expect(counter.open(sealed, 'state')).toBeUndefined();
      expect(pair().counter.open(sealed, 'hello')).toBeUndefined();
      expect(() => phone.open(sealed, 'hello')).toThrow();
      expect(counter.open(sealed.subarray(0, at % sealed.length), 'hello')).toBeUndefined();
    }),
  );
});

test.each(['', 'short', 'A'.repeat(23), `${'A'.repeat(21)}!`])('%j is no secret', (text) => {
  expect(phoneSeal(text)).toBeUndefined();
});
