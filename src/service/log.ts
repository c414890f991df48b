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
 * The service's log: JSON lines, or lines for a person.
 * What goes in is chosen where it is written, not filtered here: neither headers nor queries nor bodies are handed to it.
 */
export function createLog({ level, stream, pretty }: { level: string; stream: Writable; pretty: boolean }): FastifyBaseLogger {
  const destination = pretty
    ? { write: (line: string) => stream.write(forPeople(JSON.parse(line) as Entry)) }
    : { write: (line: string) => stream.write(line) };
  return pino({ level, base: null }, destination);
}

function forPeople({ level, time, msg, method, path, status, ms, key, reqId, err }: Entry): string {
  const clock = new Date(time).toTimeString().slice(0, 8);
  // Paths are what callers make of them; a terminal gets them without control characters.
  const safe = (text: string) => text.replace(/\p{C}/gu, '?');
  if (method && path && status)
    return `${clock}  ${status}  ${method.padEnd(6)} ${safe(path)}  ${Math.round(ms ?? 0)} ms${key ? `  ${safe(key)}` : ''}\n`;
  if (err)
    return `${clock}  error  ${safe(msg)}${reqId ? ` (request ${reqId})` : ''}\n${(err.stack ?? err.message ?? '').split('\n').map(safe).join('\n')}\n`;
  return level >= 40 ? `${clock}  ${safe(msg)}\n` : '';
}
