/** `cs locations delete`, against the real service: inactive is not deleted. */
import { expect, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService();
const make = facility(service);
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };

const remove = (...line: string[]) => cs(['locations', 'delete', ...line], { env });

test('the prompt names the effect', async () => {
  const { id, name } = await make.location({ name: 'Old mill' });
  expect((await remove(name)).error.message).toBe(
    'Deactivate location Old mill: confirmation required.',
  );
  const out = await cs(['locations', 'delete', name, '--yes'], { env, as: 'terminal' });
  expect(out.stdout).toMatch(/^location deactivated {2}Old mill/);
  expect((await cs(['locations', 'get', id], { env })).json.isActive).toBe(false);
  expect((await remove(name, '--hard')).error.message).toBe(
    'Delete location Old mill: confirmation required.',
  );
  const gone = await cs(['locations', 'delete', name, '--hard', '--yes'], { env, as: 'terminal' });
  expect(gone.stdout).toMatch(/^location deleted {2}Old mill/);
  expect((await cs(['locations', 'get', id], { env })).code).toBe(6);
});

test('several are counted in the same words', async () => {
  await make.location({ name: 'One' });
  await make.location({ name: 'Two' });
  expect((await remove('One', 'Two')).error.message).toBe(
    'Deactivate 2 locations: confirmation required.',
  );
});

test('the error for a location in use suggests another way', async () => {
  const { id, name } = await make.location({ name: 'Needed' });
  await make.zone(id, { name: 'Hall' });
  const { code, error } = await remove(name, '--hard', '--yes');
  expect([code, error.code, error.hint]).toEqual([
    7,
    'resource_in_use',
    'leave out --hard to deactivate it instead; the records that use it stay as they are',
  ]);
});

test('the help names flags, not fields of the API', async () => {
  const { stdout } = await cs(['locations', 'delete', '--help'], { as: 'terminal' });
  expect(stdout).toContain('Deactivate a location, or delete it permanently.');
  expect(stdout).not.toContain('--no-hard');
});
