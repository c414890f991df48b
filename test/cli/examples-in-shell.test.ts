/**
 * The examples of the help that only a shell can read, every recipe of `cs help scripting`, and the lines of other topics are run by a
 * shell, against a facility that has what they name. The guide is typed in test/guide.test.ts.
 */
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recipes } from '../../src/cli/framework/help/topics/scripting.ts';
import { topics } from '../../src/cli/framework/help/topics.ts';
import {
  type Example,
  everyExample,
  needsShell,
  type Stages,
  startStages,
} from '../helpers/examples.ts';

const all = await everyExample();
const examples = all.filter(needsShell);
const recipeLines: string[] = [
  ...recipes.flatMap(({ shell }) => shell),
  // What a topic says besides, one line each.
  ...['formatting', 'exit-codes'].flatMap((name) =>
    [...(topics[name]?.text() ?? '').matchAll(/^ {4}(cs \S.*)$/gm)].map(
      ([, line]) => line as string,
    ),
  ),
];

let stages: Stages;
beforeAll(async () => {
  stages = await startStages();
});
afterAll(() => stages.close());

async function runInShell(example: Example): Promise<void> {
  const { line, folder, env } = await stages.prepare(example);
  const { exitCode, stderr } = await execa('bash', ['-euo', 'pipefail', '-c', line], {
    cwd: folder,
    env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  expect({ code: exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
}

test.each(examples.map((example) => [example.line, example] as const))('%s', (_line, example) =>
  runInShell(example),
);

describe('cs help scripting, formatting and exit-codes', () => {
  // The others are examples of a command too.
  const own = recipeLines.filter((line) => !all.some((example) => example.line === line));
  test.each(own)('%s', (line) => runInShell({ command: 'scripting', line }));
});
