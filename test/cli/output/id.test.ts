import { expect, test } from 'vitest';
import { id } from '../../../src/cli/output/formats/id.ts';

test('an id with a line break is one line, so that --ids of the next command reads one id', async () => {
  expect(await id.open().records([{ id: 'a\nb' }, { id: 'c\r\u2028d' }])).toBe('a␊b\nc␍\ufffdd\n');
});
