/** The body of a request as JSON. */
import { base64Within } from './platform.ts';

/** Bytes in a field are sent as base64, which needs no escaping: a photo has megabytes of it. */
export function encodeBody(body: unknown): string | Uint8Array {
  const found = isFields(body)
    ? Object.entries(body).find(([, value]) => value instanceof Uint8Array)
    : undefined;
  if (!found) return JSON.stringify(body);
  const [name, bytes] = found as [string, Uint8Array];
  const others = JSON.stringify({ ...(body as object), [name]: undefined }).slice(1, -1);
  return base64Within(`{${others}${others && ','}${JSON.stringify(name)}:"`, bytes, '"}');
}

const isFields = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);
