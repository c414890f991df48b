/** `--input`, the same in each command that has it: a file, stdin or the JSON itself. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';

const env = { CS_BASE_URL: 'http://127.0.0.1:9', CS_API_KEY: 'csk_a.b' };
const body = { year: 1973, make: 'Porsche', model: '911' };
const id = '01a1fff0-0eed-7072-b3f3-3a12da709040';
let cwd: string;
beforeAll(async () => {
  cwd = await makeFolder();
  for (const name of ['car.json', '{car}', '[1]'])
    writeFileSync(join(cwd, name), JSON.stringify(body));
});
afterAll(() => removeFolder(cwd));

describe.each([
  ['create', ['cars', 'create']],
  ['update', ['cars', 'update', id]],
  ['api', ['api', 'POST', '/cars']],
])('cs %s', (_, line) => {
  const run = (input: string, stdin?: string) =>
    cs([...line, '--dry-run', '--input', input], { env, cwd, stdin });

  test.each([
    ['a file', 'car.json', undefined],
    ['a file whose name looks like JSON', './{car}', undefined],
    ['stdin', '-', JSON.stringify(body)],
    ['the JSON itself', ` ${JSON.stringify(body)}`, undefined],
  ])('takes %s', async (__, input, stdin) => {
    expect((await run(input, stdin)).json.body).toEqual(body);
  });

  test.each([
    ['@car.json', 2, 'write --input car.json'],
    ['cars.json', 2, 'give a file, - for stdin, or the JSON itself in single quotes'],
    ['{car}', 3, "for the file of this name, write --input ./'{car}'"],
    ['{year: 1973}', 3, "mind the shell: put single quotes around it, '{…}'"],
  ])('says what to write instead of %s', async (input, code, hint) => {
    const result = await run(input);
    expect([result.code, result.error.hint]).toEqual([code, hint]);
  });
});
