/** `cs` understands every command in the guide, and its steps from signing in to the first spot work. */
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readShellLine } from '../src/cli/framework/completion/shell-line.ts';
import { flagsInScope, readLine } from '../src/cli/framework/tree/line.ts';
import { liveTree } from '../src/cli/framework/tree/live-tree.ts';
import { bin } from './helpers/built.ts';
import { makeFolder, removeFolder } from './helpers/folder.ts';
import { startTestService, type TestService } from './helpers/service.ts';

const text = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
/** The lines of its shell blocks, without comments. */
const linesOf = (page: string): string[] =>
  [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block
      .split('\n')
      .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
      .filter(Boolean),
  );
/** Every `cs …` in a line: in pipes, behind variables and in `<(…)`. */
const commandsIn = (line: string): string[] =>
  [...line.matchAll(/(?:^|[|(=]\s*|\S=\S+ )cs ((?:'[^']*'|"[^"]*"|[^|)>"'])*)/g)].map(([, words = '']) => words);

describe.each(['README.md', 'docs/guide.md', 'docs/operating.md', 'docs/postgresql.md'])('%s', (file) => {
  const commands = linesOf(text(file)).flatMap(commandsIn);
  test('has cs commands', () => {
    expect(commands.length).toBeGreaterThan(1);
  });
  test.each(commands)('cs %s', async (command) => {
    const words = readShellLine(`cs ${command} `).words.slice(0, -1);
    const line = await readLine(liveTree, words);
    const last = line.chain.at(-1);
    const known = new Set([...flagsInScope(line.chain).flatMap(({ long, short }) => [long, short]), '--version', '--help']);
    const flags = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=')[0]);
    expect([line.unknown, flags.filter((flag) => !known.has(flag))]).toEqual([undefined, []]);
    if (words[0] === '--version') return;
    // A command with arguments of its own runs, also with commands below it.
    expect(last?.arguments.length === 0 ? last.commands.map(({ name }) => name) : []).toEqual([]);
    expect(line.args.length).toBeGreaterThanOrEqual(last?.arguments.filter(({ required }) => required).length ?? 0);
  });
});

describe('from signing in to the first spot', () => {
  let service: TestService;
  let folder: string;
  beforeAll(async () => {
    service = await startTestService();
    folder = await makeFolder();
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/cs'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 });
    await writeFile(join(folder, 'bin/pass'), `#!/bin/sh\necho '${service.key}'\n`, { mode: 0o755 });
  });
  afterAll(async () => {
    await service.close();
    await removeFolder(folder);
  });

  test('sections 4 and 5, line by line', async () => {
    const [, part = ''] = /^(## 4\. [\s\S]*?)^## 6\. /m.exec(text('docs/guide.md')) ?? [];
    // These commands prompt for the key; for the others a password manager has it.
    const lines = linesOf(part).filter((line) => !/^cs auth (login$|login --base-url|status)/.test(line));
    expect(lines.length).toBeGreaterThan(5);
    const env = { HOME: folder, PATH: `${folder}/bin:${process.env.PATH}`, CS_BASE_URL: service.url };
    for (const line of lines) {
      // The current profile is then a production profile, so a write prompts once.
      const { exitCode, stderr } = await execa('bash', ['-euo', 'pipefail', '-c', / create /.test(line) ? `${line} --yes` : line], {
        env,
        extendEnv: false,
        cwd: folder,
        reject: false,
        stdin: 'ignore',
      });
      expect({ line, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ line, exitCode: 0, stderr: '' });
    }
  });
});
