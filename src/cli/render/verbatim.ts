/** Records of a page as the server wrote them: to make each anew takes longer than all else that is done with it. */
import { isAscii } from 'node:buffer';
import { takeSource } from '../../client/source.ts';
import { hasUnsafe } from './unsafe.ts';
import type { Row } from './view.ts';

const [lineFeed, carriageReturn, quote, del] = [0x0a, 0x0d, 0x22, 0x7f];
const start = '{"data":[{"id":"';
const firstRecord = '{"data":['.length;
const between = '},{"id":"';
const beforeId = '{"id":"'.length;

/**
 * A line for each record. Nothing when the answer is not at hand, or is not written so that it can be cut with certainty: without
 * spaces, each record beginning with its id. In valid JSON `},{"id":"` stands only between two objects of a list; no record holds such a
 * list, so they are the records.
 */
export function verbatimLines(rows: readonly Row[]): Buffer | undefined {
  const source = takeSource(rows);
  if (!source) return undefined;
  const text = Buffer.from(source.buffer, source.byteOffset, source.length);
  const end = text.lastIndexOf(']');
  if (text.toString('latin1', 0, start.length) !== start || !/^\],"page":\d+,"limit":\d+,"total":\d+\}$/.test(text.toString('latin1', end)))
    return undefined;
  // A line must be one line, and harmless on a terminal.
  if (text.includes(lineFeed) || text.includes(carriageReturn)) return undefined;
  if (isAscii(text) ? text.includes(del) : hasUnsafe(text.toString())) return undefined;
  if (rows.some(holdsObjects)) return undefined;
  const cuts: number[] = [];
  let at = firstRecord;
  for (const [index, { id }] of rows.entries()) {
    const idEnd = at + beforeId + String(id).length;
    if (text[idEnd] !== quote || text.toString('latin1', at + beforeId, idEnd) !== id) return undefined;
    const next = text.indexOf(between, idEnd) + 1;
    const isLast = index === rows.length - 1;
    if ((next === 0) !== isLast) return undefined;
    cuts.push(isLast ? end : next);
    at = next + 1;
  }
  // In place: nobody else reads the answer again.
  for (const cut of cuts) text[cut] = lineFeed;
  return text.subarray(firstRecord, end + 1);
}

/** Whether a list of objects is somewhere in it. */
function holdsObjects(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => typeof item === 'object' && item !== null);
  for (const name in value) if (holdsObjects((value as Row)[name])) return true;
  return false;
}
