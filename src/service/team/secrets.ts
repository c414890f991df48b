import { hash, randomBytes } from 'node:crypto';

/** 256 random bits, as 43 characters: of a key, a cookie or a link. */
export const makeSecret = (): string => randomBytes(32).toString('base64url');

/** A single SHA-256 is enough: a secret has 256 random bits. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

/** Other texts are no secrets, and match nothing. */
export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);
