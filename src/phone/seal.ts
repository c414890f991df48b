/** Seals what the phone sends. In JavaScript, because browsers have no `crypto.subtle` on a page that came over http. */
import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keyInfo, nonceBytes, secretBytes } from './protocol.ts';

export interface PhoneSeal {
  seal(content: Uint8Array, purpose: string): Uint8Array<ArrayBuffer>;
  /** Throws for anything that the counter didn't seal for this purpose. */
  open(sealed: Uint8Array, purpose: string): Uint8Array;
}

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Undefined for a text that isn't a secret. */
export function sealWith(secret: string): PhoneSeal | undefined {
  if (secret.length !== Math.ceil((secretBytes * 4) / 3) || /[^\w-]/.test(secret)) return undefined;
  const bytes = fromBase64Url(secret);
  const keyFor = (info: string) => hkdf(sha256, bytes, undefined, utf8(info), 32);
  const [toCounter, toPhone] = [keyFor(keyInfo.toCounter), keyFor(keyInfo.toPhone)];
  return {
    seal(content, purpose) {
      const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
      const sealed = chacha20poly1305(toCounter, nonce, utf8(purpose)).encrypt(content);
      const message = new Uint8Array(nonceBytes + sealed.length);
      message.set(nonce);
      message.set(sealed, nonceBytes);
      return message;
    },
    open: (sealed, purpose) =>
      chacha20poly1305(toPhone, sealed.subarray(0, nonceBytes), utf8(purpose)).decrypt(
        sealed.subarray(nonceBytes),
      ),
  };
}

function fromBase64Url(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

export const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
