/** Styles that name themselves, so that a test reads them in a text. */
import type { Styles } from '../../src/cli/terminal/style.ts';

const mark = (name: keyof Styles) => (text: string) => `<${name}>${text}</${name}>`;

export const markedStyles: Styles = {
  title: mark('title'),
  dim: mark('dim'),
  strong: mark('strong'),
  success: mark('success'),
  warning: mark('warning'),
  error: mark('error'),
  command: mark('command'),
};
