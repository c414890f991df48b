/** A new output format is one file and one line: everything else that names formats follows. */
import { afterAll, expect, test, vi } from 'vitest';

// Test files share modules, and the list must be longer before anything else reads it.
vi.resetModules();
afterAll(() => void vi.resetModules());

test('a new format is named by help, topic, man page, reference and completion', async () => {
  const { formats, formatNames } = await import('../../../src/cli/output/formats.ts');
  (formats as unknown[]).push({ ...formats[0], name: 'xml', about: 'the records as XML' });
  (formatNames as unknown[]).push('xml');
  const [{ topics }, { renderPage }, { liveTree }, { manPages }, { markdownPages }, { complete }] =
    await Promise.all([
      import('../../../src/cli/framework/help/topics.ts'),
      import('../../../src/cli/framework/help/topics/page.ts'),
      import('../../../src/cli/commands/catalogue.ts'),
      import('../../../src/cli/framework/reference/man.ts'),
      import('../../../src/cli/framework/reference/markdown.ts'),
      import('../../../src/cli/framework/completion/complete.ts'),
    ]);
  const { flags } = await liveTree.root();
  expect(flags.find(({ long }) => long === '--output')).toMatchObject({
    about: expect.stringContaining('id or xml'),
    choices: expect.arrayContaining(['xml']),
  });
  expect(renderPage(topics.formatting?.parts() ?? [], 1_000)).toMatch(
    /^ {2}xml +the records as XML$/m,
  );
  const pages = await manPages(liveTree);
  expect(pages['cs.1']).toContain('id or xml');
  expect(pages['cs-formatting.7']).toContain('the records as XML');
  const reference = await markdownPages(liveTree);
  expect(reference['help-formatting.md']).toContain('the records as XML');
  const { candidates } = await complete(liveTree, ['cars', 'list', '-o', 'x'], async () => []);
  expect(candidates.map(({ value }) => value)).toEqual(['xml']);
});
