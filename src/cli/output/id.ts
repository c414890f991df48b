/** An id a line, for the next command: `cs … -o id | cs … --ids -`. */
import { sanitize } from '../terminal/text.ts';
import { isObject, itemsOf, type RecordFormat } from './format.ts';

const line = (item: unknown): string => `${sanitize(String(isObject(item) ? (item.id ?? item.name ?? JSON.stringify(item)) : item))}\n`;

export function idFormat(): RecordFormat {
  const lines = (items: readonly unknown[]) => items.map(line).join('');
  return { records: lines, end: () => '', one: (value) => lines(itemsOf(value)) };
}
