/** Downloads to several files. */
import { readdir } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { saveFiles, type WantedFile } from '../../../../src/cli/commands/files/save.ts';
import { Interrupted } from '../../../../src/cli/errors/ended-run.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';

async function* bytes() {
  yield Buffer.from('x');
}

test('Ctrl-C stops the download; saved files stay', async () => {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  const stopping = new AbortController();
  const stop = async () => {
    stopping.abort(new Interrupted('SIGINT'));
    throw stopping.signal.reason;
  };
  const file = (name: string, read: WantedFile['read']): WantedFile => ({
    id: name,
    path: name,
    sha256: null,
    read,
  });
  const files = [
    file('a.png', async () => bytes()),
    file('b.png', stop),
    file('c.png', async () => bytes()),
  ];
  const context = { io: { cwd: folder, signal: stopping.signal } };
  await expect(
    saveFiles(context as never, { files, folder, one: 'photo', many: 'photos' }),
  ).rejects.toThrow(Interrupted);
  expect(await readdir(folder)).toEqual(['a.png']);
});
