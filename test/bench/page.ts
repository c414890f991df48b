/** The page of the documentation that keeps the figures: a section for each part, of which a run replaces its own. */
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../../docs/performance.md', import.meta.url);
const titles = {
  service: 'The service',
  command: 'The command',
  photos: 'Photos',
  copies: 'Copies of many records',
  dashboard: 'The team dashboard',
};
export type Part = keyof typeof titles;

export function keepSection(part: Part, text: string): void {
  writeFileSync(file, withSection(readFileSync(file, 'utf8'), part, text));
}

/** `text` in place of what stands under the part's heading; the other parts stay as they are. */
export function withSection(page: string, part: Part, text: string): string {
  const [intro = '', ...sections] = page.split(/^(?=## )/m);
  const heading = `## ${titles[part]}\n`;
  const made = `${heading}\n${text.trim()}\n`;
  const known = sections.some((section) => section.startsWith(heading));
  const kept = known
    ? sections.map((section) => (section.startsWith(heading) ? made : section))
    : [...sections, made];
  return `${[intro, ...kept].map((section) => section.trim()).join('\n\n')}\n`;
}
