import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { accountName } from '../../../src/cli/framework/actor.ts';

test('uses the name of the user, or the uid without one', () => {
  expect(accountName(() => ({ username: 'ann' }), 1000)).toBe('ann');
  const nameless = () => {
    throw Object.assign(new Error('A system error occurred: uv_os_get_passwd returned ENOENT'), {
      code: 'ERR_SYSTEM_ERROR',
    });
  };
  expect(accountName(nameless, 12_345)).toBe('uid 12345');
  expect(accountName(userInfo, undefined)).toMatch(/./);
});
