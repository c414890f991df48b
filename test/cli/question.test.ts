/** Questions, answered in a real pseudo-terminal. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { cs } from '../helpers/cli.ts';
import { facility } from '../helpers/facility.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { openTerminal } from '../helpers/terminal.ts';

let service: TestService;
let env: Record<string, string>;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  await facility(service).car({ nickname: 'Twin', model: 'One' });
  await facility(service).car({ nickname: 'Twin', model: 'Two' });
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await makeFolder();
  env = { CS_CONFIG_DIR: folder, CS_BASE_URL: service.url, CS_API_KEY: service.key };
});
afterEach(() => removeFolder(folder));

test('a key is asked for and never shown', async () => {
  const terminal = openTerminal(['auth', 'login', '--base-url', service.url], { env: { CS_CONFIG_DIR: folder } });
  await terminal.waitFor('API key for');
  terminal.type(`${service.key}\r`);
  await terminal.waitFor('Signed in to First');
  expect(await terminal.exited).toBe(0);
  expect(terminal.raw()).not.toContain(service.key.split('.')[1]);
  expect(await readFile(join(folder, 'config.json'), 'utf8')).toContain(service.key);
});

test('two of one name are a choice', async () => {
  const terminal = openTerminal(['cars', 'get', 'twin'], { env });
  await terminal.waitFor('Which car "twin"?');
  terminal.press('down');
  terminal.press('enter');
  await terminal.waitFor(/Model +(One|Two)/);
  expect(await terminal.exited).toBe(0);
});

test('no is exit 13 and changes nothing, yes goes on', async () => {
  await facility(service).location({ name: 'Old hall' });
  const refused = openTerminal(['locations', 'delete', 'Old hall', '--hard'], { env });
  await refused.waitFor('Delete location Old hall?');
  refused.type('n\r');
  await refused.waitFor('Nothing was changed.');
  expect(await refused.exited).toBe(13);
  const agreed = openTerminal(['locations', 'delete', 'Old hall', '--hard'], { env });
  await agreed.waitFor('Delete location Old hall?');
  agreed.type('y\r');
  await agreed.waitFor('deleted');
  expect(await agreed.exited).toBe(0);
  expect((await cs(['locations', 'get', 'Old hall'], { env })).code).toBe(6);
});

test('what a create needs is asked for', async () => {
  const terminal = openTerminal(['cars', 'create', '--make', 'Audi'], { env });
  await terminal.waitFor('Year');
  terminal.type('2001\r');
  await terminal.waitFor('Model');
  terminal.type('TT\r');
  await terminal.waitFor('2001 Audi TT');
  expect(await terminal.exited).toBe(0);
});

test('Ctrl-C at a question is exit 130', async () => {
  const terminal = openTerminal(['auth', 'login', '--base-url', service.url], { env: { CS_CONFIG_DIR: folder } });
  await terminal.waitFor('API key for');
  terminal.press('ctrl-c');
  expect(await terminal.exited).toBe(130);
});
