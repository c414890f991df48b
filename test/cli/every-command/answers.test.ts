/** Each status and code of a server becomes its exit code, in every command, and nothing is printed that passes for a result. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type ProblemCode, problems } from '../../../src/contract/problems.ts';
import { everyLine } from '../../helpers/every-line.ts';
import { html, problem, reset } from '../../helpers/misbehaving-server.ts';

const lines = await everyLine();
afterAll(() => lines.close());
afterEach(() => {
  lines.server.instead = undefined;
});

/** Written out, so that no change of the mapping passes for what was promised. */
const exits = {
  bad_request: 3,
  invalid_api_key: 4,
  missing_scope: 5,
  not_found: 6,
  method_not_allowed: 3,
  payload_too_large: 3,
  unsupported_media_type: 3,
  validation_failed: 3,
  resource_in_use: 7,
  duplicate: 7,
  rate_limited: 8,
  internal_error: 10,
  unavailable: 10,
} satisfies Partial<Record<ProblemCode, number>>;
const answers = Object.entries(exits).map(([code, exit]) => {
  const { status } = problems[code as ProblemCode];
  return { what: `${status} ${code}`, behaviour: problem(status, code as ProblemCode), exit };
});

/** Commands that tell of a server's failure in a result of their own, and go on. */
const reporting: ReadonlySet<string> = new Set(['doctor']);

describe.each(lines.asking.filter(({ name }) => !reporting.has(name)).map((line) => [line.name, line] as const))('cs %s', (_, known) => {
  test('every answer becomes its exit code', async () => {
    const wrong = [];
    for (const { what, behaviour, exit } of answers) {
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
