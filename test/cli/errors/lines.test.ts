/** What people read of errors: of lines that can't be carried out, which are those of lines.txt, and of every code. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { scripts } from '../../../src/cli/commands/completion/scripts.ts';
import { listCodes } from '../../../src/cli/commands/explain/find.ts';
import { cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { testService } from '../../helpers/service.ts';
import { replay, stopClock } from '../../helpers/transcript.ts';

/** What cs makes of the status of a page. */
const ofGateways = [400, 401, 403, 407, 408, 413, 502].map((status) => `http_${status}`);

const service = await testService();
const folder = await makeFolder();
const startClock = stopClock();
afterAll(async () => {
  startClock();
  await removeFolder(folder);
});
const write = (name: string, content: string | Uint8Array) =>
  writeFileSync(join(folder, name), content);

test('lines that cannot be carried out', async () => {
  for (const name of ['dir', 'config', 'wrong/config.json', 'newer'])
    mkdirSync(join(folder, name), { recursive: true });
  write('notes.txt', 'notes');
  write('list.json', '[1]');
  write('broken.json', '{');
  write('empty.txt', '\n');
  // The first half of a pair alone.
  write('half.csv', Buffer.from('lastName\nLee\n\ud83d', 'utf16le'));
  chmodSync(join(folder, 'empty.txt'), 0o600);
  const profile = { baseUrl: service.url, key: service.key };
  const profiles = { kept: { ...profile, readOnly: true }, live: { ...profile, production: true } };
  write('config/config.json', JSON.stringify({ currentProfile: 'kept', profiles }));
  const newer = new DatabaseSync(join(folder, 'newer/state.db'));
  newer.exec('pragma user_version = 99');
  newer.close();
  const make = facility(service);
  await make.car({ licensePlate: 'HH-E 61' });
  await replay(join(import.meta.dirname, 'lines.txt'), {
    hidden: { folder },
    cwd: folder,
    home: folder,
    env: {
      CS_BASE_URL: service.url,
      CS_API_KEY: service.key,
      CS_CONFIG_DIR: join(folder, 'none'),
      CS_STATE_DIR: join(folder, 'state'),
    },
  });
  // Those that `cs completion install` names.
  for (const [shell, path] of [
    ['bash', 'data/bash-completion/completions/cs'],
    ['zsh', '.zfunc/_cs'],
    ['fish', 'fish/fish/completions/cs.fish'],
  ] as const)
    expect(readFileSync(join(folder, path), 'utf8')).toBe(scripts[shell]);
});

test('every error code: how it ends, what it means, what to do', async () => {
  const shown: string[] = [];
  for (const word of [...listCodes().map(({ code }) => code), ...ofGateways]) {
    const { exitCodes, means, next, operations } = (await cs(['explain', word])).json;
    // The interface description has what those of the service mean.
    const said = operations.length > 0 ? [next] : [means, next];
    shown.push([`${word}: exit ${exitCodes.join(', ')}`, ...said].filter(Boolean).join('\n  '));
  }
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('codes.txt');
});
