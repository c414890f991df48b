/** Hints that name flags name those of the command that was typed. */
import { expect, test } from 'vitest';
import { reportOf } from '../../../src/cli/errors/report.ts';
import { ApiError, UnsteadyListError } from '../../../src/client/errors.ts';

const place = { method: 'POST', path: '/parking/assignments', requestId: 'r' };
const refused = (code: string) =>
  new ApiError('x', { ...place, code, status: 422, details: null, unknownOutcome: false });
const flags: Record<string, string> = {
  parkingSpotId: '--parking-spot',
  parkingZoneId: '--parking-zone',
};

test.each([
  [
    'parking_required',
    'give exactly one of --parking-spot and --parking-zone; free spots: `cs parking spots list --available`',
  ],
  [
    'parking_not_allowed',
    'leave out --parking-spot and --parking-zone: events of this type end the parking',
  ],
])('%s', (code, hint) => {
  expect(reportOf(refused(code), { flagOf: (field) => flags[field] }).hint).toBe(hint);
});

test('names the fields if the command has no flags for them', () => {
  expect(reportOf(refused('parking_required')).hint).toMatch(
    /^give exactly one of parkingSpotId and parkingZoneId;/,
  );
});

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
