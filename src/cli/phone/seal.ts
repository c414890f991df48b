/** Opens what a phone sends, and seals the answers. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { keyInfo, nonceBytes, secretBytes, tagBytes } from '../../phone/protocol.ts';

export interface CounterSeal {
  seal(content: Uint8Array, purpose: string): Buffer;
  /** Undefined for anything that the holder of the secret didn't seal for this purpose. */
  open(sealed: Uint8Array, purpose: string): Buffer | undefined;
}

const cipher = 'chacha20-poly1305';
const tag = { authTagLength: tagBytes };

export const newSecret = (): string => randomBytes(secretBytes).toString('base64url');

export function sealWith(secret: string): CounterSeal {
  const bytes = Buffer.from(secret, 'base64url');
  const keyFor = (info: string) => Buffer.from(hkdfSync('sha256', bytes, '', info, 32));
  const [toCounter, toPhone] = [keyFor(keyInfo.toCounter), keyFor(keyInfo.toPhone)];
  return {
    seal(content, purpose) {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, toPhone, nonce, tag).setAAD(Buffer.from(purpose), {
        plaintextLength: content.length,
      });
      return Buffer.concat([nonce, sealing.update(content), sealing.final(), sealing.getAuthTag()]);
    },
    open(sealed, purpose) {
      if (sealed.length < nonceBytes + tagBytes) return undefined;
      const content = sealed.subarray(nonceBytes, -tagBytes);
      try {
        const opening = createDecipheriv(cipher, toCounter, sealed.subarray(0, nonceBytes), tag)
          .setAAD(Buffer.from(purpose), { plaintextLength: content.length })
          .setAuthTag(sealed.subarray(-tagBytes));
        const opened = opening.update(content);
        opening.final();
        return opened;
      } catch {
        return undefined;
      }
    },
  };
}
