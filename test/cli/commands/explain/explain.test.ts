/** The table of error codes is complete, and `cs explain` shows it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listCodes } from '../../../../src/cli/commands/explain/find.ts';
import {
  codesOfClient,
  type ExitCode,
  exitCodes,
  exitCodesOf,
  ownCodes,
} from '../../../../src/cli/errors/codes.ts';
import { CliError } from '../../../../src/cli/errors/exit.ts';
import { type ProblemCode, problems } from '../../../../src/contract/problems.ts';
import { cs } from '../../../helpers/cli.ts';

const root = join(import.meta.dirname, '../../../../src');
const sources = ['cli', 'client'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== 'errors/codes.ts')
    .map((name) => ({
      name: `${folder}/${name}`,
      text: readFileSync(join(root, folder, name), 'utf8'),
    })),
);

describe('the table of codes', () => {
  test('has every code of the client, under this name or the one that cs gives', () => {
    // The compiler holds that an error has no code outside of the table.
    // @ts-expect-error
    new CliError({ code: 'parking_spot_ocupied', message: 'x', exitCode: 7 });
    const names = [
      ...Object.keys(problems),
      ...Object.keys(ownCodes),
      ...Object.keys(codesOfClient),
    ];
    const found = sources.flatMap(({ name, text }) =>
      Array.from(text.matchAll(/\bcode: '([a-z]+(?:_[a-z]+)*)'/g), ([, code = '']) => ({
        name,
        code,
      })),
    );
    expect(found.length).toBeGreaterThan(40);
    expect(found.filter(({ code }) => !names.includes(code))).toEqual([]);
    expect(
      Object.keys(codesOfClient).filter((code) => code in problems || code in ownCodes),
    ).toEqual([]);
  });
  test('has no unused code', () => {
    const text = sources.map((source) => source.text).join('\n');
    expect(Object.keys(ownCodes).filter((code) => !text.includes(`'${code}'`))).toEqual([]);
  });
  test('allows the exit codes that errors set themselves', () => {
    const stated = sources.flatMap(({ name, text }) =>
      Array.from(
        text.matchAll(/CliError\(\{[^{}]*\bcode: '([a-z_]+)'[^{}]*\bexitCode: (\d+)\b/g),
        ([, code = '', exit]) => ({ name, code, exit: Number(exit) as ExitCode }),
      ),
    );
    expect(stated.length).toBeGreaterThan(2);
    expect(stated.filter(({ code, exit }) => !exitCodesOf(code).includes(exit))).toEqual([]);
  });
  test('has sentences', () => {
    for (const { code, means, exitCodes: exits } of listCodes()) {
      expect([code, means.length > 15, /[.!]$/.test(means)]).toEqual([code, true, true]);
      expect(exits.every((exit) => exit in exitCodes)).toBe(true);
    }
  });

  test('names only commands that exist', async () => {
    const texts = listCodes().map(({ means, next }) => `${means} ${next}`);
    const lines = new Set(
      texts.flatMap((text) =>
        Array.from(text.matchAll(/`cs ([a-z][^`]*)`/g), ([, line]) => line as string),
      ),
    );
    expect(lines.size).toBeGreaterThan(20);
    for (const line of lines) {
      // As far as its words go; what follows are values.
      const [words = ''] = /^[a-z-]+(?: [a-z][a-z-]*)*/.exec(line) ?? [];
      const { code, stderr } = await cs([...words.split(' '), '--help']);
      expect(code, `${line}: ${stderr}`).toBe(0);
    }
  });
});

describe('its output', () => {
  test('status, exit code, next step and operations', async () => {
    const { json } = await cs(['explain', 'parking_spot_occupied']);
    expect(json).toMatchObject({
      status: 422,
      exitCodes: [7],
      next: 'free spots: `cs parking spots list --available`',
    });
    expect(json.operations).toContainEqual({
      id: 'carEvents.create',
      method: 'POST',
      path: '/api/v1/cars/{id}/events',
    });
    expect((await cs(['explain', 'not_signed_in'])).json).toMatchObject({
      status: null,
      exitCodes: [4],
      next: null,
      operations: [],
    });
  });
  test('lists every code, with the complete meaning on a terminal', async () => {
    const { stdout } = await cs(['explain'], { as: 'terminal' });
    expect(stdout.split('\n').filter((line) => line.length > 80 || line.includes('…'))).toEqual([]);
    const said = stdout.replace(/\s+/g, ' ');
    for (const { code, means } of listCodes()) expect(said).toContain(`${code} ${means}`);
    expect((await cs(['explain', '--columns', 'code,exit'], { as: 'terminal' })).stdout).toMatch(
      /^CODE +EXIT\n/,
    );
  });
  test('a status and an exit code', async () => {
    const status = (await cs(['explain', '401'])).json;
    expect(status.codes.map(({ code }: { code: ProblemCode }) => code)).toEqual([
      'missing_api_key',
      'invalid_api_key',
      'api_key_expired',
      'api_key_revoked',
    ]);
    expect((await cs(['explain', '503'])).json.codes[0].code).toBe('unavailable');
    const exit = (await cs(['explain', '14'])).json;
    expect([exit.means, exit.codes[0].code]).toEqual(['ambiguous name', 'ambiguous_name']);
    for (const code of Object.keys(exitCodes))
      expect((await cs(['explain', code], { as: 'terminal' })).code).toBe(0);
  });
  test.each([
    ['http_502', 502, [10]],
    ['http_413', 413, [3]],
    ['http_404', 404, [9, 6]],
  ])('%s, which the command makes of a status', async (word, status, exits) => {
    const { code, json } = await cs(['explain', word]);
    expect([code, json]).toEqual([
      0,
      expect.objectContaining({ code: `http_${status}`, status, exitCodes: exits, operations: [] }),
    ]);
    const { stdout } = await cs(['explain', word], { as: 'terminal' });
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
  test('a code in any case and with dashes', async () => {
    expect((await cs(['explain', 'Parking-Spot-Occupied'])).json.code).toBe(
      'parking_spot_occupied',
    );
  });
});
