/** The commands that work on the service's data and not through its interface, which the lines of the other files leave out. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { everyCommand, ofTheService, runnable } from '../../helpers/every-command.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';

const folder = await makeFolder();
afterAll(() => removeFolder(folder));
const broken = join(folder, 'broken');
mkdirSync(broken);
writeFileSync(join(broken, 'config.json'), '{"profiles": ');
writeFileSync(join(folder, 'file'), '');

const commands = runnable(await everyCommand()).filter(({ words }) => ofTheService.has(words[0] as string));
test('there are some', () => {
  expect(commands.length).toBeGreaterThan(10);
});

const told = (stderr: string) =>
  JSON.parse(stderr.trim().split('\n').at(-1) as string).error as { message: string; hint: string; exitCode: number };

describe.each(commands.map((known) => [known.name, known] as const))('cs %s', (_, { words, info }) => {
  const needed = info.arguments.filter(({ required }) => required);

  test('helps with a broken configuration', async () => {
    expect((await cs([...words, '--help'], { env: { CS_CONFIG_DIR: broken } })).code).toBe(0);
  });
  test('data that cannot be are a failure that is told, as one object and with nothing on stdout', async () => {
    const data = join(folder, 'file', 'data');
    const env = { CS_DATA: data, CS_CONFIG_DIR: broken, XDG_DATA_HOME: data };
    const { code, stdout, stderr } = await cs([...words, ...needed.map(() => 'x')], { env, home: join(folder, 'file'), cwd: folder });
    expect([stdout, told(stderr).exitCode]).toEqual(['', code]);
    expect([0, 1]).not.toContain(code);
    expect(told(stderr).message).toMatch(/\S/);
  });
  test('one argument too few and one too many are exit 2', async () => {
    const env = { CS_DATA: join(folder, 'data'), CS_CONFIG_DIR: broken };
    if (needed.length > 0) {
      const { code, stdout, stderr } = await cs([...words, ...needed.slice(1).map(() => 'x')], { env, cwd: folder });
      expect([code, stdout]).toEqual([2, '']);
      const names = [...needed.map(({ name }) => name.toLowerCase()), ...info.flags.map(({ long }) => long)];
      expect(names.some((name) => `${told(stderr).message} ${told(stderr).hint}`.toLowerCase().includes(name))).toBe(true);
    }
    if (info.arguments.some(({ variadic }) => variadic)) return;
    const { code, stdout } = await cs([...words, ...info.arguments.map(() => 'x'), 'one-too-many'], { env, cwd: folder });
    expect([code, stdout]).toEqual([2, '']);
  });
});
