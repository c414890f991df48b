/** The same for browsers, Deno, Bun and workers, with what the web standards have. */
export { openConnection } from './fetch-connection.ts';

export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
