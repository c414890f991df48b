import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { catalogue, liveTree } from '../../../../src/cli/commands/catalogue.ts';
import { renderPage } from '../../../../src/cli/framework/help/topics/page.ts';
import { topics } from '../../../../src/cli/framework/help/topics.ts';
import { manPages } from '../../../../src/cli/framework/reference/man.ts';
import { readableManPage } from '../../../../src/cli/framework/reference/man-text.ts';
import { markdownPages } from '../../../../src/cli/framework/reference/markdown.ts';
import type { Tree } from '../../../../src/cli/framework/tree/tree.ts';
import { toolsAreRequired } from '../../../helpers/tools.ts';

const names = catalogue.map(({ name }) => name);
const topicNames = Object.keys(topics);

test('has a page for each command and topic, and one for all', async () => {
  expect(Object.keys(await markdownPages(liveTree))).toEqual([
    'README.md',
    ...names.map((name) => `${name}.md`),
    ...topicNames.map((name) => `help-${name}.md`),
  ]);
  expect(Object.keys(await manPages(liveTree))).toEqual([
    'cs.1',
    ...names.map((name) => `cs-${name}.1`),
    ...topicNames.map((name) => `cs-${name}.7`),
  ]);
});

/** One command whose words hold what Markdown and roff take for their own. */
const awkward: Tree = {
  root: async () => command('cs', { commands: [command('odd')] }),
  family: async () =>
    command('odd', {
      about: ".start with a dot, a \\ and 'quotes'\nand *stars* <angles> a_b …",
      aliases: ['strange'],
      arguments: [
        {
          name: 'file',
          about: "'what it is",
          required: false,
          variadic: true,
          choices: ['one', 'two'],
        },
      ],
      flags: [
        { long: '--all', form: '-a, --all', short: '-a', about: 'say "all"' },
        { long: '--quiet', form: '--quiet', about: 'nothing', global: true },
      ],
      examples: ['# A remark.', "cs odd 'a b' | jq '.[] | \\(.x)'"],
    }),
  topics: async () => [{ name: 'keys', summary: 'Keys' }],
};

function command(name: string, given: object = {}) {
  const empty = {
    aliases: [],
    summary: name,
    about: name,
    arguments: [],
    flags: [],
    examples: [],
    operations: [],
    commands: [],
  };
  return { name, ...empty, ...given };
}

test('a page in Markdown', async () => {
  const { 'odd.md': page, 'README.md': first } = await markdownPages(awkward);
  expect(page).toBe(`# cs odd

.start with a dot, a \\ and 'quotes' and \\*stars\\* \\<angles\\> a\\_b … Also \`cs strange\`.

\`\`\`sh
cs odd [FILE…] [flags]
\`\`\`

**Arguments**

- \`FILE…\`: 'what it is: one, two

**Flags**

- \`-a, --all\`: say "all"

**Examples**

\`\`\`sh
# A remark.
cs odd 'a b' | jq '.[] | \\(.x)'
\`\`\`
`);
  expect(first).toContain('- [`cs odd`](odd.md): odd');
  expect(first).toContain('- [`cs help keys`](help-keys.md): Keys');
});

test.each(topicNames)('contains the complete topic %s', async (name) => {
  const page = (await markdownPages(liveTree))[`help-${name}.md`] ?? '';
  const words = (text: string) => text.toLowerCase().match(/[a-z0-9-]{4,}/g) ?? [];
  const said = new Set(words(page));
  expect(
    words(renderPage(topics[name]?.parts() ?? [], 1_000)).filter((word) => !said.has(word)),
  ).toEqual([]);
  expect(page).toMatch(/^(## \S|- `|```sh$)/m);
});

const hasGroff = spawnSync('groff', ['--version']).status === 0;

test('a page of the manual', async () => {
  const { 'cs-odd.1': page, 'cs.1': first, 'cs-keys.7': topic } = await manPages(awkward);
  expect(page).toBe(String.raw`.\" Made by npm run build.
.TH "CS\-ODD" 1 "" car\-storage
.SH "NAME"
cs\-odd \- odd
.SH "SYNOPSIS"
.B "cs odd [FILE\[u2026]] [flags]"
.SH "DESCRIPTION"
.PP
\&.start with a dot, a \e and \(aqquotes\(aq
.PP
and *stars* <angles> a_b \[u2026]
.PP
Also: cs strange.
.PP
.I Arguments
.TP
.B "FILE\[u2026]"
\(aqwhat it is: one, two
.PP
.I Flags
.TP
.B "\-a, \-\-all"
say "all"
.PP
.I Examples
.PP
.EX
# A remark.
$ cs odd \(aqa b\(aq | jq \(aq.[] | \e(.x)\(aq
.EE
.SH "SEE ALSO"
.BR cs (1)
`);
  expect(first).toBe(String.raw`.\" Made by npm run build.
.TH "CS" 1 "" car\-storage
.SH "NAME"
cs \- cs
.SH "SYNOPSIS"
.B "cs <command> [flags]"
.SH "DESCRIPTION"
.PP
cs
.SH "COMMANDS COMMANDS"
.TP
.BR "cs\-odd" (1)
odd
.SH "HELP TOPICS"
.TP
.BR "cs\-keys" (7)
Keys
.SH "GLOBAL FLAGS"
.TP
.B "\-h, \-\-help"
show help
`);
  expect(topic).toMatch(
    /^\.\\" Made by npm run build\.\n\.TH "CS\\-KEYS" 7 .*\n\.SH "NAME"\ncs\\-keys \\- Keys\n/,
  );
});

describe('the manual', () => {
  /** Any warning is an error. */
  const typeset = (page = '') => {
    const { status, stdout, stderr } = spawnSync(
      'groff',
      ['-ww', '-man', '-Tutf8', '-P-cbou', '-rHY=0', '-rLL=80n'],
      { input: page, encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([0, '']);
    return stdout;
  };
  test.runIf(hasGroff || toolsAreRequired)('escapes special characters of roff', async () => {
    const { 'cs-odd.1': page = '' } = await manPages(awkward);
    for (const shown of [typeset(page), readableManPage(page, 80)]) {
      for (const line of [
        `.start with a dot, a \\ and 'quotes'`,
        'and *stars* <angles> a_b …',
        'Also: cs strange.',
        'cs odd [FILE…] [flags]',
        `'what it is: one, two`,
        '-a, --all',
        'say "all"',
        '# A remark.',
        `$ cs odd 'a b' | jq '.[] | \\(.x)'`,
      ])
        expect(shown).toContain(line);
      expect(shown).not.toContain('--quiet');
    }
  });
  test.runIf(hasGroff || toolsAreRequired)('is typeset without a warning', async () => {
    typeset(Object.values(await manPages(liveTree)).join(''));
  });
  test.runIf(hasGroff || toolsAreRequired)('`cs man` shows the words that groff does', async () => {
    const words = (text: string) => text.split(/\s+/).filter(Boolean);
    // All pages have the same parts: a long one, a topic and one in ten are enough.
    const some = Object.entries(await manPages(liveTree)).filter(
      ([name], at) => at % 10 === 0 || ['cs.1', 'cs-scripting.7'].includes(name),
    );
    expect(some.length).toBeGreaterThan(5);
    for (const [, page] of some) {
      // Without the first line and the last.
      const lines = typeset(page).trim().split('\n').slice(1, -1);
      expect(words(readableManPage(page, 80))).toEqual(words(lines.join('\n')));
    }
  });
});
