/** What comes out of every command: JSON that parses whole, and text that steers no terminal, whatever the server says. */
import { afterAll, afterEach, expect, test } from 'vitest';
import { formatNames as formats } from '../../../src/cli/output/formats.ts';
import { everyLine } from '../../helpers/every-line.ts';
import { makeFolder } from '../../helpers/folder.ts';
import { json } from '../../helpers/misbehaving-server.ts';
import { forMany, inTurn, offenders } from '../../helpers/offenders.ts';
import { forged, hostile, steering } from '../../helpers/steering.ts';

const lines = await everyLine();
afterAll(() => lines.close());
afterEach(() => {
  lines.server.instead = undefined;
  lines.server.change = undefined;
});

const spoiled = (value: unknown): unknown => {
  if (typeof value === 'string') return `${value}${hostile}`;
  if (Array.isArray(value)) return value.map(spoiled);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, spoiled(inner)]));
  return value;
};

/** Each export goes into a folder of its own. */
const run: typeof lines.run = async (known, options) =>
  lines.run(known, known.name in ofFiles ? { ...options, cwd: await makeFolder() } : options);

/** What is left of the server's text that a terminal obeys, and lines that it made. */
const steerers = (...texts: readonly string[]) =>
  texts.flatMap((text) => [steering, forged].flatMap((sign) => sign.exec(text)?.[0] ?? []));

/** Their output is for another program than a reader of JSON. */
const plain: ReadonlySet<string> = new Set(['completion', 'man', 'version', 'config path', 'mcp']);

/** They go on, so their JSON is a record a line. */
const streaming: ReadonlySet<string> = new Set(['watch']);
/** Those that write files choose by it in which format. */
const ofFiles: Readonly<Record<string, readonly string[]>> = { export: ['ndjson', 'csv', 'json'] };
const formatsOf = ({ name }: { name: string }, wanted: readonly string[]) =>
  wanted.filter((format) => ofFiles[name]?.includes(format) ?? true);

test(
  'stdout is valid JSON, and stderr contains no result',
  async () => {
    const found = await offenders(lines.all, async (known, at) => {
      for (const format of ['json', ...(at % 4 === 0 ? ['ndjson'] : [])]) {
        const { code, stdout } = await run(known, { flags: ['-o', format] });
        expect(code).toBe(0);
        if (plain.has(known.name)) continue;
        const documents =
          known.name in ofFiles || (format === 'json' && !streaming.has(known.name))
            ? [stdout]
            : stdout.trim().split('\n').filter(Boolean);
        for (const document of documents) expect(() => JSON.parse(document)).not.toThrow();
      }
    });
    expect(found).toEqual([]);
  },
  forMany,
);

test(
  'escapes server text on a terminal: in its table, and every fourth in another format',
  async () => {
    const found = await offenders(lines.all, async (known, at) => {
      lines.server.change = (record) => {
        const { id, ...rest } = record;
        return { id, ...(spoiled(rest) as object), [hostile]: hostile };
      };
      for (const format of new Set(['table', ...(at % 4 === 0 ? inTurn(formats, at / 4) : [])])) {
        if (formatsOf(known, [format]).length === 0) continue;
        const { code, stdout, stderr } = await run(known, {
          as: 'terminal',
          flags: ['-o', format],
        });
        expect(code).not.toBe(1);
        expect({ format, found: steerers(stdout, stderr) }).toEqual({ format, found: [] });
      }
    });
    expect(found).toEqual([]);
  },
  forMany,
);

test(
  'escapes server text in errors',
  async () => {
    const found = await offenders(lines.all, async (known, at) => {
      lines.server.instead = () =>
        json(
          422,
          {
            error: hostile,
            code: hostile,
            details: {
              issues: [{ path: hostile, rule: hostile, message: hostile }],
              [hostile]: hostile,
            },
          },
          { 'x-request-id': 'x\u009b31m\u0085error: forged' },
        );
      const variants = [
        ['-o', 'table', '-v'],
        ['-o', 'table'],
        ['-o', 'json', '-v'],
      ];
      for (const flags of inTurn(variants, at)) {
        const { stdout, stderr } = await run(known, { as: 'terminal', flags });
        expect({ flags, found: steerers(stdout, stderr) }).toEqual({ flags, found: [] });
      }
    });
    expect(found).toEqual([]);
  },
  forMany,
);
