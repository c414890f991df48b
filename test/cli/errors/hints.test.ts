/** The next step after an error of the server. */
import { expect, test } from 'vitest';
import { reportOf } from '../../../src/cli/errors/report.ts';
import { ApiError } from '../../../src/client/errors.ts';

const place = { method: 'POST', path: '/parking/assignments', requestId: 'r' };
test.each([
  [401, /^sign in with `cs auth login`/],
  [403, /^`cs auth status` shows the scopes of the key/],
  [422, /^correct what the server names/],
  [500, /^try again in a moment/],
  [404, undefined],
] as const)('a code of another server with %i has the next step of its status', (status, hint) => {
  const { hint: found } = reportOf(
    new ApiError('no', { ...place, code: 'E-9', status, details: null, unknownOutcome: false }),
  );
  if (hint) expect(found).toMatch(hint);
  else expect(found).toBeNull();
});

test.each([
  ['/locations/a', true],
  ['/marketing/assets/a', false],
])('a record at %s that is still used: deactivating it is advised: %s', (path, isAdvised) => {
  const { hint } = reportOf(
    new ApiError('no', {
      ...place,
      method: 'DELETE',
      path,
      code: 'resource_in_use',
      status: 422,
      details: null,
      unknownOutcome: false,
    }),
  );
  expect(hint?.includes('--hard')).toBe(isAdvised);
});
