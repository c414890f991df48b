/** An unsent request, for --dry-run. */
import { sanitize } from '../terminal/text.ts';
import { toJson } from './json.ts';

export interface PlannedRequest {
  readonly method: string;
  /** The path below the base address, such as `/api/v1/cars`. */
  readonly path: string;
  readonly body?: unknown;
}

const secret = /^(key|apiKey|secret|token|password|authorization)$/i;

/** Replaces secrets and bytes. */
export function redact(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    if (secret.test(name)) return '(not shown)';
    // A command with many files gives their sizes without reading them.
    if (name === 'base64' && /^\(\d+ bytes\)$/.test(value)) return value;
    if (name === 'base64') return `(${Math.floor((value.length * 3) / 4)} bytes)`;
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => redact(item, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(item, key)]));
  return value;
}

/** The same for a script. */
export const plannedValue = (request: PlannedRequest) => ({
  dryRun: true,
  ...request,
  body: redact(request.body),
});

export function requestText({ method, path, body }: PlannedRequest): string {
  const head = `${sanitize(`${method} ${path}`)}\n`;
  return body === undefined ? head : `${head}${toJson(redact(body))}`;
}
