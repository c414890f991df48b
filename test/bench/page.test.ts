import { expect, test } from 'vitest';
import { withSection } from './page.ts';

const page =
  '# Figures\n\nIntro.\n\n## The service\n\nold\n\n### How to read it\n\nold\n\n## The command\n\nkept\n';

test('a run replaces its own section and leaves the other', () => {
  expect(withSection(page, 'service', 'new\n\n### More\n\nnew')).toBe(
    '# Figures\n\nIntro.\n\n## The service\n\nnew\n\n### More\n\nnew\n\n## The command\n\nkept\n',
  );
  expect(withSection(page, 'command', 'new')).toBe(page.replace('kept', 'new'));
});

test('a section that was not there comes last', () => {
  expect(withSection('# Figures\n', 'command', 'new')).toBe('# Figures\n\n## The command\n\nnew\n');
});
