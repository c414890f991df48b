/** The next step after an error of the server. */
import { expect, test } from 'vitest';
import { reportOf } from '../../../src/cli/errors/report.ts';
import { ApiError, UnsteadyListError } from '../../../src/client/errors.ts';

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

test('a list that contradicts the specification is for the operator of the server', () => {
  expect(
    reportOf(new UnsteadyListError('pages give 2 records; by the specification (section 8) 4'))
      .hint,
  ).toMatch(/^the server breaks the specification/);
  expect(reportOf(new UnsteadyListError('the list changed too fast to read')).hint).toMatch(
    /^try again/,
  );
});
