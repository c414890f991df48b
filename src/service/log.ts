import type { Writable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';

interface Entry {
  level: number;
  time: number;
  msg: string;
  method?: string;
  path?: string;
  status?: number;
  ms?: number;
  key?: string;
  reqId?: string;
  err?: { message?: string; stack?: string };
}

/**
 * The service's log, as JSON lines or for a terminal. Callers decide what to log, so nothing is filtered here: never headers,
 * queries or bodies.
 */
export function createLog({
  level,
  stream,
  pretty,
}: {
  level: string;
  stream: Writable;
  pretty: boolean;
}): FastifyBaseLogger {
  const destination = pretty
    ? { write: (line: string) => stream.write(forPeople(JSON.parse(line) as Entry)) }
    : { write: (line: string) => stream.write(line) };
  return pino({ level, base: null }, destination);
}

function forPeople({ level, time, msg, method, path, status, ms, key, reqId, err }: Entry): string {
  const clock = new Date(time).toTimeString().slice(0, 8);
  // Callers choose the path, so control characters are replaced.
  const safe = (text: string) => text.replace(/\p{C}/gu, '?');
  if (method && path && status)
    return `${clock}  ${status}  ${method.padEnd(6)} ${safe(path)}  ${Math.round(ms ?? 0)} ms${key ? `  ${safe(key)}` : ''}\n`;
  if (err)
    return `${clock}  error  ${safe(msg)}${reqId ? ` (request ${reqId})` : ''}\n${(err.stack ?? err.message ?? '').split('\n').map(safe).join('\n')}\n`;
  return level >= 40 ? `${clock}  ${safe(msg)}\n` : '';
}
