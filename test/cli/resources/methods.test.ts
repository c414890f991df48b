import { expect, test } from 'vitest';
import { gather, type IdsQuery, idsAtOnce, readByIds } from '../../../src/cli/resources/methods.ts';
import { listParameters } from '../../../src/contract/schemas.ts';

const idsOf = (count: number) => Array.from({ length: count }, () => crypto.randomUUID());

test('reads ids in batches of the largest page', () => {
  expect(listParameters.ids.schema.safeParse(idsOf(idsAtOnce)).success).toBe(true);
  expect(listParameters.ids.schema.safeParse(idsOf(idsAtOnce + 1)).success).toBe(false);
  expect(listParameters.limit.schema.safeParse(idsAtOnce).success).toBe(true);
});

test.each([
  [0, []],
  [1, [1]],
  [idsAtOnce, [idsAtOnce]],
  [2 * idsAtOnce + 1, [idsAtOnce, idsAtOnce, 1]],
])('%i records are read in their order, with no list too many', async (count, sizes) => {
  const asked: IdsQuery[] = [];
  const read = async function* (query: IdsQuery) {
    asked.push(query);
    yield* query.ids.map((id) => ({ id }));
  };
  const ids = idsOf(count);
  expect((await gather(readByIds(new Set(ids), read))).map(({ id }) => id)).toEqual(ids);
  expect(asked.map((query) => query.ids.length)).toEqual(sizes);
});
