import { describe, expect, test } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import { issues, made, ok, type Row, refused, row, rowOf, testTable } from '../../helpers/table.ts';

const service = await testService();
const make = facility(service);

const path = '/marketing/asset-folders';
const top = await make.assetFolder({ name: 'Events' });
const inner = await make.assetFolder({ name: '2026', parentId: top.id });
const other = await make.assetFolder({ name: 'Other' });
const add = row('POST', path);
const change = rowOf('PATCH', (id) => `${path}/${id}`);
const duplicate = (id: string): Row['expect'] => refused('duplicate', { field: 'name', id });

describe('names', () => {
  testTable(service, [
    add('taken in the folder', { name: '2026', parentId: top.id }, duplicate(inner.id)),
    add(
      'the same elsewhere',
      { name: '2026', parentId: other.id },
      made({ name: '2026', parentId: other.id }),
    ),
    add('the same at the top', { name: '2026' }, made({ parentId: null })),
    add('another case is another name', { name: 'events' }, made()),
    change('moved to where its name is taken', inner.id, { parentId: null }, refused('duplicate')),
  ]);
});

describe('a tree, ten deep at most', async () => {
  const root = await make.assetFolder();
  const leaf = await make.assetFolder({ parentId: root.id });
  /** Ten deep, the deepest folder last. */
  const chain = [await make.assetFolder()];
  while (chain.length < 10) chain.push(await make.assetFolder({ parentId: chain.at(-1)?.id }));
  const [outermost, deepest] = [chain[0] as typeof root, chain[9] as typeof root];
  testTable(service, [
    change('into itself', root.id, { parentId: root.id }, issues({ parentId: 'cycle' })),
    change(
      'into one that lies in it',
      root.id,
      { parentId: leaf.id },
      issues({ parentId: 'cycle' }),
    ),
    change(
      'into one that lies deep in it',
      outermost.id,
      { parentId: deepest.id },
      issues({ parentId: 'cycle' }),
    ),
    add('an eleventh level', { name: 'n', parentId: deepest.id }, issues({ parentId: 'depth' })),
    add('a tenth', { name: 'n', parentId: chain[8]?.id }, made()),
    change(
      'moved with what lies in it',
      root.id,
      { parentId: chain[8]?.id },
      issues({ parentId: 'depth' }),
    ),
    change('moved to where it just fits', root.id, { parentId: chain[7]?.id }, ok()),
    change('and back', root.id, { parentId: null }, ok({ parentId: null })),
  ]);
});

test('two that move into each other at once: one does', async () => {
  const [one, two] = [await make.assetFolder(), await make.assetFolder()];
  const move = (from: string, into: string) =>
    service.call('PATCH', `${path}/${from}`, { parentId: into });
  const answers = await Promise.all([move(one.id, two.id), move(two.id, one.id)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
});

test('delete: only an empty folder', async () => {
  const folder = await make.assetFolder();
  const child = await make.assetFolder({ parentId: folder.id });
  const asset = await make.asset({ folderId: folder.id });
  const remove = (at: string) => service.call('DELETE', at);
  const full = await remove(`${path}/${folder.id}`);
  expect(full).toMatchObject({
    status: 422,
    body: { code: 'resource_in_use', details: { folders: 1, assets: 1 } },
  });
  await remove(`${path}/${child.id}`);
  await make.change(`/marketing/assets/${asset.id}`, { folderId: null });
  expect((await remove(`${path}/${folder.id}`)).status).toBe(200);
});
