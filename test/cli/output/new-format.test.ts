/** A new output format is one file and one line: everything else that names formats follows. */
import { expect, test } from 'vitest';
import { type Format, formatNames, formats } from '../../../src/cli/output/formats.ts';

const xml = { name: 'xml' as Format, about: 'the records as XML', columns: 'field', open: formats[0]?.open } as const;

test('a new format is named by help, topic, man page, reference and completion', async () => {
  // Before anything else reads the list.
  (formats as unknown[]).push(xml);
  (formatNames as unknown[]).push(xml.name);
  const [{ topics }, { liveTree }, { manPages }, { markdownPages }, { complete }] = await Promise.all([
    import('../../../src/cli/framework/help/topics.ts'),
    import('../../../src/cli/framework/tree/live-tree.ts'),
    import('../../../src/cli/framework/reference/man.ts'),
    import('../../../src/cli/framework/reference/markdown.ts'),
    import('../../../src/cli/framework/completion/complete.ts'),
  ]);
  const root = await liveTree.root();
  const output = root.flags.find(({ long }) => long === '--output');
  expect(output?.about).toContain('yaml, id or xml');
  expect(output?.choices).toContain('xml');
  expect(topics.formatting?.text()).toMatch(/^ {2}xml +the records as XML$/m);
  const pages = await manPages(liveTree);
  expect(pages['cs.1']).toContain('id or xml');
  expect(pages['cs-formatting.7']).toContain('the records as XML');
  const reference = await markdownPages(liveTree);
  expect(reference['help-formatting.md']).toContain('the records as XML');
  const { candidates } = await complete(liveTree, ['cars', 'list', '-o', 'x'], async () => []);
  expect(candidates.map(({ value }) => value)).toEqual(['xml']);
}, 30_000);
