import { expect, test } from 'vitest';
import { formatOf } from '../../../src/cli/output/formats.ts';

test('an id with a line break is one line, so that --ids of the next command reads one id', async () => {
  const { records } = await formatOf('id').open({} as never);
  expect(await records([{ id: 'a\nb' }, { id: 'c\r\u2028d' }])).toBe('a␊b\nc␍\ufffdd\n');
});
