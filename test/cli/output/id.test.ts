import { expect, test } from 'vitest';
import { idFormat } from '../../../src/cli/output/id.ts';

test('an id with a line break is one line, so that --ids of the next command takes no second id from it', async () => {
  expect(await idFormat().records([{ id: 'a\nb' }, { id: 'c\r\u2028d' }])).toBe('a␊b\nc␍\ufffdd\n');
});
