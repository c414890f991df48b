/** Lines of JSON with a checksum: damage may leave valid JSON. */
import { crc32 } from 'node:zlib';

export const summedLine = (line: object): string =>
  `${JSON.stringify({ ...line, sum: sumOf(line) })}\n`;

/** Undefined for a line that isn't as it was written. */
export function parseSummedLine(text: string): object | undefined {
  try {
    const { sum, ...line } = JSON.parse(text) as { sum?: unknown };
    return sum === sumOf(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

const sumOf = (line: object): string => crc32(JSON.stringify(line)).toString(16);
