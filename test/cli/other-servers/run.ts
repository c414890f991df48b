/** Runs commands on the servers of other teams, and checks what every answer must keep to. */
import { expect } from 'vitest';
import { results } from '../../../src/cli/commands/schema/results.ts';
import { type CliOptions, type CliResult, cs } from '../../helpers/cli.ts';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer } from '../../helpers/other-server.ts';
import { resultViolations } from '../../helpers/result-schema.ts';
import { type Variation, type VariationName, variations } from './servers.ts';
import type { Refused } from './writes.ts';

export interface Opened {
  readonly facility: OtherFacility;
  /** Text with the server's own words for event types. */
  readonly own: (text: string) => string;
}

/** One server for each variation, as it was at the beginning each time it is opened. */
export function otherFacilities() {
  const opened = new Map<VariationName, Promise<OtherFacility>>();
  return {
    async open(name: VariationName): Promise<Opened> {
      const { ways, ownWords }: Variation = variations[name];
      const starting =
        opened.get(name) ??
        startOtherServer(ways, () => noon).then((server) => furnish(server, { own: ownWords }));
      opened.set(name, starting);
      const facility = await starting;
      facility.reset();
      // Not inside the name of a record: {drop_off}.
      const own = (text: string) =>
        text.replace(/(?<!\{)\b(drop_off|pick_up|interior_cleaning)\b/g, (value) =>
          value.replace('_', ways.wordBreak ?? '_'),
        );
      return { facility, own };
    },
    async closeAll() {
      for (const facility of opened.values()) await (await facility).server.close();
    },
  };
}

export interface Ran extends Pick<CliResult, 'code' | 'stdout'> {
  /** stderr as text: the message and hint of the error, and its details. */
  readonly told: string;
}

/** What a command prints by mistake when a value is missing. */
const slips = /\bundefined\b|\bNaN\b|Invalid Date|\[object |\n\s+at .+:\d+:\d+/;

/** Runs a command line with quotes and `{names}`. */
export async function runOn(
  facility: OtherFacility,
  line: string,
  options: CliOptions = {},
): Promise<Ran> {
  const words = (line.match(/'[^']*'|[^\s{']*\{[^}]*\}\S*|\S+/g) ?? []).map((word) =>
    facility.fill(word.replace(/^'|'$/g, '')),
  );
  const { code, stdout, stderr } = await cs(words, { env: facility.env, now: noon, ...options });
  expect(`${stdout}${stderr}`).not.toMatch(slips);
  // A bug, or an error that nobody has thought of.
  expect([code, stderr]).not.toEqual([1, expect.anything()]);
  if (code !== 0) expect(stderr).not.toBe('');
  const result = results.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  if (result && /^[{[]/.test(stdout))
    expect(await resultViolations(result.name, JSON.parse(stdout))).toEqual([]);
  return { code, stdout, told: stderr.split('\n').map(textOf).join('\n') };
}

function textOf(line: string): string {
  if (!line.startsWith('{"error"')) return line;
  const { code, message, hint, details } = JSON.parse(line).error;
  return [message, hint, code, JSON.stringify(details)].join('\n');
}

/** Servers whose times can't be compared. */
export const hasUnknownTimes = (name: VariationName): boolean =>
  /^times (without an offset|in German|in seconds)$/.test(name);
export const untoldTime: Refused = {
  code: 9,
  says: /isn't an ISO 8601 time with an offset\. The specification \(section 2\)/,
};

/** The error of a server that gives the first records of a list alone, and how it is known. */
export const cutLists: Refused = {
  code: 9,
  says: /the server says that more follow \("has_more": true\); by the specification \(section 8\)/,
};
export const cutsLists = (name: VariationName): boolean =>
  name === 'gives two records per page, and a cursor';

/** The error of a server that answers with a record that wasn't asked for. */
export const isAnotherRecord =
  /"data\.id" isn't \S+\. The specification has \{ data: record \} \(section 4\)/;

/** The error of a server that answers every unknown path with a page, which may as well be that of another program. A write may have been carried out. */
export const pageForAll = (name: VariationName, code: number): Refused | undefined =>
  /a (page with 200|sign-in page) for others$/.test(name)
    ? {
        code: code === 10 ? 10 : 9,
        says: /answered [A-Z]+ \S+ with (200|302) and |not updated|1 row failed/,
      }
    : undefined;

/** The exit code where the server lacks an operation. A 404 in JSON may mean a record that the request names, unless it is named as missing. */
export const exitOfMissing = (name: VariationName, told: string): number =>
  name === 'specified paths alone' && !/ has no GET \/\S+: [\s\S]*operation_missing/.test(told)
    ? 6
    : 9;
