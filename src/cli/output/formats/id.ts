import { sanitize } from '../../terminal/text.ts';
import { isObject, itemsOf, type OutputFormat, type RecordFormat } from '../format.ts';

export const id = {
  name: 'id',
  about: 'one id per line, for --ids - of the next command',
  open: idFormat,
} as const satisfies OutputFormat;

const line = (item: unknown): string =>
  `${sanitize(String(isObject(item) ? (item.id ?? item.name ?? JSON.stringify(item)) : item))}\n`;

function idFormat(): RecordFormat {
  const lines = (items: readonly unknown[]) => items.map(line).join('');
  return { records: lines, end: () => '', one: (value) => lines(itemsOf(value)) };
}
