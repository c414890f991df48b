/** A failure of a server becomes its exit code in every command, all kinds of them among all commands, and nothing is printed that passes for a result. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type ProblemCode, problems } from '../../../src/contract/problems.ts';
import { everyLine } from '../../helpers/every-line.ts';
import { html, problem, reset } from '../../helpers/misbehaving-server.ts';
import { forMany, inTurn, offenders } from '../../helpers/offenders.ts';

const lines = await everyLine();
afterAll(() => lines.close());
afterEach(() => {
  lines.server.instead = undefined;
});

/** What `cs explain` tells of each code. */
const told = readFileSync(join(import.meta.dirname, '../errors/codes.txt'), 'utf8');
const refusals = Object.entries(problems).map(([code, { status }]) => ({
  what: `${status} ${code}`,
  behaviour: problem(status, code as ProblemCode),
  exit: Number(new RegExp(`^${code}: exit (.+)`, 'm').exec(told)?.[1]),
}));

/** One for each status and exit code that it can have: a command does not know one code from another. */
const different = refusals.filter(({ what, exit }, at) => {
  const same = (one: (typeof refusals)[number]) =>
    one.what.slice(0, 3) === what.slice(0, 3) && one.exit === exit;
  return refusals.findIndex(same) === at;
});

const kinds = [
  ...different,
  { what: 'a page', behaviour: html(200), exit: 9 },
  { what: 'a page of a gateway', behaviour: html(502), exit: 10 },
  { what: 'a broken connection', behaviour: reset(), exit: 9 },
];

/** Commands that tell of a server's failure in a result of their own, and go on. */
const reporting: ReadonlySet<string> = new Set(['doctor']);

test(
  'answers of every kind, a page of a gateway and a broken connection become their exit code',
  async () => {
    const asking = lines.asking.filter(({ name }) => !reporting.has(name));
    const found = await offenders(asking, async (known, at) => {
      for (const { what, behaviour, exit } of inTurn(kinds, at)) {
        lines.server.instead = () => behaviour;
        const { code, stderr, stdout } = await lines.run(known);
        const { error } = JSON.parse(stderr.trim().split('\n').at(-1) as string);
        // To the request of a list, it means that the server lacks the list.
        const missing = /^40[45] /.test(what) && error.code === 'operation_missing' ? 9 : exit;
        // A refused step stays open, and that is the result of `cs pending resume`.
        const expected =
          known.name === 'pending resume' && error.code === 'unfinished' ? 7 : missing;
        expect([code, isWhole(stdout)], `${what}: ${stdout} ${stderr}`).toEqual([expected, false]);
        expect([error.exitCode, error.code !== 'unexpected', Boolean(error.message)]).toEqual([
          code,
          true,
          true,
        ]);
      }
    });
    expect(found).toEqual([]);
  },
  forMany,
);

test.each(
  lines.asking.filter(({ name }) => reporting.has(name)).map((line) => [line.name, line] as const),
)('cs %s tells what failed', async (_, known) => {
  for (const { behaviour } of inTurn(kinds, 0, 4)) {
    lines.server.instead = () => behaviour;
    const { code, json } = await lines.run(known);
    expect([code > 0, Boolean(json)]).toEqual([true, true]);
  }
});

/** A result that could be taken for one: anything but nothing, and a list of what failed. */
function isWhole(stdout: string): boolean {
  if (stdout.trim() === '') return false;
  const value = JSON.parse(stdout);
  return !(Array.isArray(value) ? value.every((item) => item.error) : value.error || value.photos);
}
