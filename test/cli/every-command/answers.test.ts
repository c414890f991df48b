/** Each status and code of a server becomes its exit code, in every command, and nothing is printed that passes for a result. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type ProblemCode, problems } from '../../../src/contract/problems.ts';
import { everyLine, type Line } from '../../helpers/every-line.ts';
import { html, problem, reset } from '../../helpers/misbehaving-server.ts';

const lines = await everyLine();
afterAll(() => lines.close());
afterEach(() => {
  lines.server.instead = undefined;
});

/** Every code there is, written out, so that no change of the mapping passes for what was promised. */
const exits: Readonly<Record<ProblemCode, number>> = {
  missing_api_key: 4,
  invalid_api_key: 4,
  api_key_expired: 4,
  api_key_revoked: 4,
  missing_scope: 5,
  api_disabled: 5,
  not_found: 6,
  route_not_found: 6,
  validation_failed: 3,
  invalid_json: 3,
  conflicting_fields: 3,
  car_required: 3,
  customer_required: 3,
  event_type_scope_mismatch: 3,
  event_type_inactive: 7,
  option_mismatch: 3,
  recurrence_too_long: 3,
  invalid_transition: 7,
  parking_required: 3,
  parking_not_allowed: 3,
  parking_spot_occupied: 7,
  parking_zone_full: 7,
  parking_inactive: 7,
  not_parked: 7,
  occurred_at_in_future: 3,
  occurred_at_conflict: 7,
  car_archived: 7,
  car_parked: 7,
  location_inactive: 7,
  photo_too_large: 3,
  photo_type_unsupported: 3,
  photo_type_mismatch: 3,
  session_mismatch: 3,
  session_closed: 7,
  source_url_blocked: 3,
  source_url_failed: 3,
  form_closed: 7,
  recipient_missing: 3,
  event_full: 7,
  rsvp_closed: 7,
  duplicate: 7,
  resource_in_use: 7,
  campaign_locked: 7,
  idempotency_key_reused: 7,
  bad_request: 3,
  method_not_allowed: 3,
  payload_too_large: 3,
  unsupported_media_type: 3,
  rate_limited: 8,
  internal_error: 10,
  unavailable: 10,
};
const answers = Object.entries(exits).map(([code, exit]) => {
  const { status } = problems[code as ProblemCode];
  return { what: `${status} ${code}`, behaviour: problem(status, code as ProblemCode), exit };
});
/** One for each status and exit code that it can have: a command does not know one code from another. */
const different = answers.filter(({ what, exit }, at) => {
  const same = (one: (typeof answers)[number]) => one.what.slice(0, 3) === what.slice(0, 3) && one.exit === exit;
  return answers.findIndex(same) === at;
});

test('every code', async () => {
  const line = lines.asking.find(({ name }) => name === 'cars list') as Line;
  for (const { what, behaviour, exit } of answers) {
    lines.server.instead = () => behaviour;
    expect([what, (await lines.run(line)).code]).toEqual([what, exit]);
  }
});

/** Commands that tell of a server's failure in a result of their own, and go on. */
const reporting: ReadonlySet<string> = new Set(['doctor']);

describe.each(lines.asking.filter(({ name }) => !reporting.has(name)).map((line) => [line.name, line] as const))('cs %s', (_, known) => {
  test('every kind of answer becomes its exit code', async () => {
    const wrong = [];
    for (const { what, behaviour, exit } of different) {
      lines.server.instead = () => behaviour;
      const { code, stderr, stdout } = await lines.run(known);
      if (code !== exit || isWhole(stdout)) wrong.push(`${what}: ${code} instead of ${exit} ${stdout} ${stderr}`);
      const { error } = JSON.parse(stderr.trim().split('\n').at(-1) as string);
      if (error.exitCode !== code || !error.message || error.code === 'unexpected') wrong.push(`${what}: ${stderr}`);
    }
    expect(wrong).toEqual([]);
  });
  test('a page of HTML, of a gateway and of something else, and a connection that breaks', async () => {
    for (const [behaviour, exit] of [
      [html(200), 9],
      [html(502), 10],
      [reset(), 9],
    ] as const) {
      lines.server.instead = () => behaviour;
      const { code, stdout } = await lines.run(known);
      expect([code, isWhole(stdout)]).toEqual([exit, false]);
    }
  });
});

test.each(lines.asking.filter(({ name }) => reporting.has(name)).map((line) => [line.name, line] as const))(
  'cs %s tells what failed',
  async (_, known) => {
    for (const { behaviour } of answers) {
      lines.server.instead = () => behaviour;
      const { code, json } = await lines.run(known);
      expect([code > 0, Boolean(json)]).toEqual([true, true]);
    }
  },
);

/** A result that could be taken for one: anything but nothing, and a list of what failed. */
function isWhole(stdout: string): boolean {
  if (stdout.trim() === '') return false;
  const value = JSON.parse(stdout);
  return !(Array.isArray(value) ? value.every((item) => item.error) : value.error || value.photos);
}
