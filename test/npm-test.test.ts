/** `npm test` and the verdict of continuous integration, for a run that passes and one that fails in every way. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, test } from 'vitest';
import { makeFolder, removeFolder } from './helpers/folder.ts';

const root = resolve(import.meta.dirname, '..');
const folders: string[] = [];
afterAll(() => Promise.all(folders.map(removeFolder)));

const passing = `
import { inject, expect, test } from 'vitest';
import { onPostgres } from '../helpers/postgres.ts';
test('passes', () => expect(onPostgres ? inject('postgres').url : 'sqlite').toBeTruthy());
`;

/** A checkout with these tests alone; the names of their files make them run on both databases. */
async function checkoutWith(tests: Readonly<Record<string, string>>): Promise<string> {
  const folder = await makeFolder();
  folders.push(folder);
  for (const name of [
    'package.json',
    'node_modules',
    'src',
    'test/helpers',
    'test/tiers.ts',
    'test/vitest.config.ts',
  ]) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await symlink(join(root, name), join(folder, name));
  }
  await mkdir(join(folder, 'test/service'));
  for (const [name, text] of Object.entries(tests))
    await writeFile(join(folder, `test/service/${name}.test.ts`), text);
  return folder;
}

/** Runs the tests of a checkout like the README, then judges them like .ci/run. --ignore-scripts skips the build. */
async function run(text: Readonly<Record<string, string>>, home = process.env.HOME) {
  const cwd = await checkoutWith(text);
  const report = join(cwd, 'report.json');
  const options = { cwd, reject: false, extendEnv: false, all: true } as const;
  const { PATH } = process.env;
  const tests = await execa(
    'npm',
    [
      'test',
      '--ignore-scripts',
      '--',
      '--reporter=default',
      `--reporter=${join(root, '.ci/reporter.js')}`,
    ],
    { ...options, env: { PATH, HOME: home, CS_TEST_REPORT: report } },
  );
  const judge = (code: number | undefined) =>
    execa(process.execPath, [join(root, '.ci/judge.js'), report, String(code)], options);
  const judgement = await judge(tests.exitCode);
  // The verdict of the report alone, without the exit code.
  const reportAlone = await judge(0);
  return {
    output: tests.all,
    codes: {
      tests: tests.exitCode,
      judgement: judgement.exitCode,
      reportAlone: reportAlone.exitCode,
    },
    lines: judgement.stdout.split('\n'),
  };
}

describe.concurrent('npm test', () => {
  test('passes', async ({ expect }) => {
    const { output, codes, lines } = await run({ lists: passing });
    expect(codes, output).toEqual({ tests: 0, judgement: 0, reportAlone: 0 });
    expect(lines).toEqual(['tests: 2 passed, 0 failed']);
  });

  test('names a failing test, a file that does not load, an unhandled rejection, and what was left in the home folder of the person', async ({
    expect,
  }) => {
    const home = await makeFolder();
    folders.push(home);
    const { output, codes, lines } = await run(
      {
        lists: `${passing} test('fails', () => expect(1).toBe(2));`,
        search: `${passing} if (!onPostgres) throw new Error('does not load');`,
        totals: `${passing} if (!onPostgres) Promise.reject(new Error('nobody handles this'));`,
        ids: `${passing} await (await import('node:fs/promises')).mkdir(process.env.CS_TEST_REAL_HOME + '/.config/fish', { recursive: true });`,
      },
      home,
    );
    expect(codes, output).toEqual({ tests: 1, judgement: 1, reportAlone: 1 });
    expect(output).toContain(`The tests changed the home folder ${home}: .config/fish`);
    // The projects end in any order.
    expect(lines.toSorted()).toEqual([
      'expected 1 to be 2 // Object.is equality',
      'expected 1 to be 2 // Object.is equality',
      expect.stringMatching(/^failed as a file: .*search\.test\.ts$/),
      'failed: test/service/lists.test.ts (postgres): fails',
      'failed: test/service/lists.test.ts (sqlite): fails',
      'tests: 6 passed, 4 failed',
      'unhandled error: nobody handles this',
    ]);
  });
});

describe('the verdict on a run', () => {
  const judge = async (...runs: (readonly [report: unknown, code: number])[]) => {
    const folder = await makeFolder();
    folders.push(folder);
    const words = runs.map(async ([report, code], at) => {
      const path = join(folder, `report-${at}.json`);
      if (report !== undefined)
        await writeFile(path, typeof report === 'string' ? report : JSON.stringify(report));
      return [path, String(code)];
    });
    const argv = [join(root, '.ci/judge.js'), ...(await Promise.all(words)).flat()];
    const { exitCode, stdout } = await execa(process.execPath, argv, { reject: false });
    return { exitCode, last: stdout.split('\n').at(-1) };
  };
  const good = { success: true, passed: 3, failed: 0, failedFiles: [], unhandledErrors: [] };

  test.for([
    ['everything passed', good, 0, { exitCode: 0, last: 'tests: 3 passed, 0 failed' }],
    [
      'a good report, but another exit code',
      good,
      1,
      { exitCode: 1, last: 'tests: 3 passed, 1 failed' },
    ],
    [
      'no success',
      { ...good, success: false },
      0,
      { exitCode: 1, last: 'tests: 3 passed, 1 failed' },
    ],
    ['failed tests', { ...good, failed: 2 }, 0, { exitCode: 1, last: 'tests: 3 passed, 2 failed' }],
    [
      'failed files',
      { ...good, failedFiles: ['a', 'b'] },
      0,
      { exitCode: 1, last: 'tests: 3 passed, 2 failed' },
    ],
    [
      'unhandled errors',
      { ...good, unhandledErrors: ['a'] },
      0,
      { exitCode: 1, last: 'tests: 3 passed, 1 failed' },
    ],
    ['no tests', { ...good, passed: 0 }, 0, { exitCode: 1, last: 'tests: 0 passed, 1 failed' }],
    ['no report', undefined, 0, { exitCode: 1, last: 'tests: 0 passed, 1 failed' }],
    ['an empty report', '', 0, { exitCode: 1, last: 'tests: 0 passed, 1 failed' }],
  ] as const)('%s', async ([, report, code, judged]) => {
    expect(await judge([report, code])).toEqual(judged);
  });

  test.for([
    ['both passed', [good, 0], [good, 0], { exitCode: 0, last: 'tests: 6 passed, 0 failed' }],
    [
      'the first failed',
      [{ ...good, failed: 2 }, 1],
      [good, 0],
      { exitCode: 1, last: 'tests: 6 passed, 2 failed' },
    ],
    [
      'the second did not run',
      [good, 0],
      [undefined, 1],
      { exitCode: 1, last: 'tests: 3 passed, 1 failed' },
    ],
  ] as const)('two runs: %s', async ([, first, second, judged]) => {
    expect(await judge(first, second)).toEqual(judged);
  });

  test('no run', async () => {
    expect(await judge()).toEqual({ exitCode: 1, last: 'tests: 0 passed, 0 failed' });
  });
});
