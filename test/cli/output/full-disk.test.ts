/** A disk that is full and a reader that goes away, in processes of their own: there alone the streams are the system's. */
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { builtInShell } from '../../helpers/built.ts';
import { facility } from '../../helpers/facility.ts';
import { expectFullDisk, redirected } from '../../helpers/full-disk.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService();
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const make = facility(service);
await Promise.all(Array.from({ length: 250 }, () => make.car({ notes: 'x'.repeat(2_000) })));

/** One line for each way in which results are written. */
const written = [
  ['cars', 'list'],
  ['cars', 'list', '--all', '-o', 'ndjson'],
  ['cars', 'list', '--all', '-o', 'csv'],
  ['cars', 'list', '-o', 'table'],
  ['cars', 'list', '-o', 'id'],
  ['cars', 'list', '-o', 'yaml'],
  ['cars', 'list', '--jq', '.[0]'],
  ['locations', 'create', '--name', 'Annex'],
  ['locations', 'create', '--name', 'Annex', '--dry-run'],
  ['api', '/cars'],
  ['schema', 'cars'],
  ['explain'],
  ['help', 'scripting'],
  ['cars', 'list', '--help'],
  ['--version'],
];

const stores = (line: readonly string[]) => line.includes('create') && !line.includes('--dry-run');

describe('a full disk', () => {
  test.each(written.map((line) => [line.join(' '), line] as const))(
    'cs %s > /dev/full is not exit 0',
    (_, line) =>
      expectFullDisk(
        line,
        { env },
        { words: line.includes('-o') && !line.includes('ndjson'), stored: stores(line) },
      ),
  );
  test("errors that can't be printed keep their exit code", async () => {
    const { exitCode } = await redirected(['cars', 'get', 'Nobody'], '2> /dev/full', { env });
    expect(exitCode).toBe(6);
  });
});

describe('a reader that closes the pipe', () => {
  test.each([
    ['cars list --all -o ndjson | head -1'],
    ['cars list --all | head -c 10'],
    ['cars list --all -o csv | head -1'],
    ['explain | true'],
    ['schema cars | true'],
    ['help scripting | true'],
  ])('cs %s', async (line) => {
    const shell = `${builtInShell} ${line}; echo "\${PIPESTATUS[0]}" >&2`;
    const { stderr } = await execa('bash', ['-c', shell], { env, extendEnv: true });
    expect(stderr).toBe('0');
  });
});
