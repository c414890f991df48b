/** Completion as a person meets it: the real shells, a real terminal, and what then arrives at the command. */
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type Shell,
  scriptNames,
  scripts,
  shells,
} from '../../../../src/cli/commands/completion/scripts.ts';
import { builtCs, builtInShell } from '../../../helpers/built.ts';
import { facility } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { readNames } from '../../../helpers/names.ts';
import { startTerminal } from '../../../helpers/pseudo-terminal.ts';
import { testService } from '../../../helpers/service.ts';
import { openTerminal } from '../../../helpers/terminal.ts';
import { toolsAreRequired } from '../../../helpers/tools.ts';

/** How each is started without what a person has set up, and how it takes the completion. */
const start: Record<Shell, { argv: string[]; load: string; words: string }> = {
  bash: {
    argv: ['--norc', '--noprofile', '-i'],
    load: 'source <(cs completion bash)',
    words: 'bind "set bell-style none"; PS1="ready> "',
  },
  zsh: {
    argv: ['-f', '-i'],
    load: 'source <(cs completion zsh)',
    words: 'autoload -U compinit; compinit -u -D; unsetopt beep; PS1="ready> "',
  },
  fish: {
    argv: ['--no-config', '-i'],
    load: 'cs completion fish | source',
    words: 'set -g fish_autosuggestion_enabled 0; function fish_prompt; echo "ready> "; end',
  },
};

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'exit 0'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const service = await testService();
const folder = await makeFolder();
await mkdir(join(folder, 'bin'));
// What is asked for completion goes to the command; everything else shows what arrives.
const shown = `case "$1" in __complete*|completion) exec ${builtInShell} "$@";; esac; printf '<%s>' "$@"; echo`;
await writeFile(join(folder, 'bin/cs'), `#!/bin/sh\n${shown}\n`, { mode: 0o755 });
await writeFile(join(folder, 'a photo.jpg'), '');
await mkdir(join(folder, 'zsh'));
await writeFile(join(folder, 'zsh', scriptNames.zsh), scripts.zsh);
const env = {
  HOME: folder,
  PATH: `${folder}/bin:${process.env.PATH}`,
  CS_CONFIG_DIR: join(folder, 'config'),
  CS_STATE_DIR: join(folder, 'state'),
  CS_BASE_URL: service.url,
  CS_API_KEY: service.key,
};
const make = facility(service);
await make.car({ licensePlate: 'WN AB 123' });
const { id } = await make.location({ name: `Müller's Yard` });
await make.zone(id, { name: 'Hall: North (2) $5' });
// Read beforehand, since a Tab does not wait for a slow machine.
await readNames(env, ['cars', 'locations', 'parkingZones']);
afterAll(() => removeFolder(folder));

// In continuous integration every shell is there, or its tests fail; elsewhere one that is missing is not tested.
describe.each(shells.map((shell) => [shell] as const))('%s', (shell) => {
  const there = isInstalled(shell);

  let terminal: ReturnType<typeof startTerminal>;
  beforeAll(async () => {
    if (!there && !toolsAreRequired) return;
    const { argv, load, words } = start[shell];
    terminal = startTerminal(argv, { program: shell, env, cwd: folder, columns: 120 });
    terminal.type(`${words}\r`);
    await terminal.waitFor(/^ready>/m);
    terminal.type(`${load}; echo loa''ded\r`);
    await terminal.waitFor(/loaded\s+ready>$/);
  });
  afterAll(() => {
    terminal?.type('\u0003\u0004');
    terminal?.close();
  });

  test.runIf(there || toolsAreRequired).each<[typed: string, arrives: string[]]>([
    ['cs drop\t', ['dropoff']],
    ['cs car ev\tli\t', ['car', 'events', 'list']],
    ['cs cars list --sta\tst\t', ['cars', 'list', '--status', 'stored']],
    ['cs cars list --status=st\t', ['cars', 'list', '--status=stored']],
    ['cs cars get WN\t', ['cars', 'get', 'WN AB 123']],
    ['cs cars get "WN\t', ['cars', 'get', 'WN AB 123']],
    ['cs cars get WN\\ A\t', ['cars', 'get', 'WN AB 123']],
    ['cs cars get wn\t', ['cars', 'get', 'WN AB 123']],
    ['cs locations get M\t', ['locations', 'get', `Müller's Yard`]],
    ['cs parking zones get Hall\t', ['parking', 'zones', 'get', 'Hall: North (2) $5']],
    ['cs parking zones get Hall:\t', ['parking', 'zones', 'get', 'Hall: North (2) $5']],
    ['cs cars list --ca-file a\t', ['cars', 'list', '--ca-file', 'a photo.jpg']],
    ['cs help exit\t', ['help', 'exit-codes']],
    // No file is offered for a name.
    ['cs cars get a\t', ['cars', 'get', 'a']],
  ])('%j', async (typed, arrives) => {
    terminal.type('clear\r');
    await terminal.waitFor(/^\s*ready>$/);
    // A shell reads one key after the other, and completes before it goes on.
    terminal.type(`${typed}\r`);
    const shown = arrives.map((word) => `<${word}>`).join('');
    const isDone = (screen: string) => screen.includes(shown) && screen.endsWith('ready>');
    expect(await terminal.waitFor(isDone)).toContain(shown);
  });
});

/** What the person does after `cs completion install`, in a shell that is set up otherwise. */
const afterInstall: Record<Shell, { argv: string[]; load: string }> = {
  bash: {
    argv: start.bash.argv,
    load: 'source ~/.local/share/bash-completion/completions/cs; PS1="ready> "',
  },
  zsh: {
    argv: start.zsh.argv,
    load: 'unsetopt beep; fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit -u -D; PS1="ready> "',
  },
  fish: { argv: ['-i'], load: start.fish.words },
};
test.runIf(toolsAreRequired || shells.every(isInstalled)).each(shells)(
  'cs completion install, then %s',
  async (shell) => {
    const { argv, load } = afterInstall[shell];
    const { stdout } = await builtCs(['completion', 'install', '-o', 'table'], {
      env: { HOME: folder, SHELL: `/usr/bin/${shell}` },
    });
    expect(stdout).toContain(folder);
    const terminal = openTerminal(argv, { program: shell, env, cwd: folder, columns: 120 });
    onTestFinished(() => terminal.type('\u0003\u0004'));
    terminal.type(`${load}\r`);
    await terminal.waitFor(/^ready>/m);
    terminal.type('cs drop\t\r');
    expect(await terminal.waitFor('<dropoff>')).toContain('<dropoff>');
  },
);

test.runIf(isInstalled('zsh') || toolsAreRequired).each([
  ['as a file, from the first Tab on', 'fpath=(zsh $fpath); autoload -U compinit; compinit -u -D'],
  ['without compinit', 'source <(cs completion zsh)'],
])('zsh loads it %s', async (_, load) => {
  const terminal = openTerminal(start.zsh.argv, { program: 'zsh', env, cwd: folder, columns: 120 });
  onTestFinished(() => terminal.type('\u0003\u0004'));
  terminal.type(`unsetopt beep; ${load}; PS1="ready> "\r`);
  await terminal.waitFor(/^ready>/m);
  terminal.type('cs drop\t\r');
  expect(await terminal.waitFor('<dropoff>')).toContain('<dropoff>');
});
