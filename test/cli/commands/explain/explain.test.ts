/** `cs explain`: every code there is has its explanation. The codes are looked up in the sources, so that none is forgotten. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { everyCode } from '../../../../src/cli/commands/explain/find.ts';
import { commandCodes } from '../../../../src/cli/errors/codes/command-codes.ts';
import { serviceCodes } from '../../../../src/cli/errors/codes/service-codes.ts';
import { exitCodes } from '../../../../src/cli/errors/exit.ts';
import type { PhotoFileReason } from '../../../../src/cli/errors/photo-file.ts';
import type { NetworkErrorCode, UsageErrorCode } from '../../../../src/client/errors.ts';
import { type ProblemCode, problems } from '../../../../src/contract/problems.ts';
import { cs } from '../../../helpers/cli.ts';

const root = join(import.meta.dirname, '../../../../src');
const sources = ['cli', 'client'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('explain/'))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(join(root, folder, name), 'utf8') })),
);
const known = new Set([...Object.keys(problems), ...Object.keys(commandCodes)]);

describe('no code is without an explanation', () => {
  test('those of the service', () => {
    expect(Object.keys(serviceCodes).sort()).toEqual(Object.keys(problems).sort());
  });
  test('those that stand in the sources of the command and the client', () => {
    const found = sources.flatMap(({ name, text }) =>
      Array.from(text.matchAll(/\bcode: '([a-z]+(?:_[a-z]+)*)'|\brefusal\(\s*'([a-z_]+)'/g), (match) => ({
        name,
        code: match[1] ?? match[2],
      })),
    );
    expect(found.length).toBeGreaterThan(40);
    expect(found.filter(({ code }) => !known.has(code as string))).toEqual([]);
  });
  test('those that are types', () => {
    // The compiler holds that none of these lists lacks a member.
    const usage: Record<UsageErrorCode, true> = {
      invalid_base_url: true,
      invalid_key: true,
      invalid_ca: true,
      invalid_proxy: true,
      invalid_path: true,
      closed: true,
    };
    const network: Record<NetworkErrorCode, true> = {
      connection_failed: true,
      connection_lost: true,
      timeout: true,
      tls_failed: true,
      unsafe_address: true,
    };
    const photo: Record<PhotoFileReason, true> = {
      not_found: true,
      unreadable: true,
      is_directory: true,
      empty: true,
      not_a_photo: true,
      damaged: true,
      too_large: true,
      too_many_pixels: true,
      cannot_shrink: true,
      location_stuck: true,
    };
    const all = [...Object.keys({ ...usage, ...network }), ...Object.keys(photo).map((reason) => `photo_${reason}`)];
    expect(all.filter((code) => !known.has(code))).toEqual([]);
  });
  test('none is explained that nobody says', () => {
    const text = sources.map((source) => source.text).join('\n');
    const said = (code: string) => text.includes(`'${code}'`) || text.includes(`'${code.replace(/^photo_/, '')}'`);
    expect(Object.keys(commandCodes).filter((code) => !said(code))).toEqual([]);
  });
  test('the exit codes are those that the sources give', () => {
    const wrong = sources.flatMap(({ name, text }) =>
      Array.from(text.matchAll(/\bcode: '([a-z_]+)',(?:(?!\bcode: ')[\s\S]){0,500}?\bexitCode: (\d+)\b/g), ([, code = '', exit]) => ({
        name,
        code,
        exit: Number(exit),
      })).filter(({ code, exit }) => commandCodes[code] && !commandCodes[code].exitCodes.some((one) => one === exit)),
    );
    expect(wrong).toEqual([]);
  });
  test('each in words, with a next step', () => {
    for (const { code, means, next, exitCodes: exits } of everyCode()) {
      expect([code, means.length > 20, /[.!]$/.test(means), next.length > 10, /\.$/.test(next)]).toEqual([code, true, true, true, true]);
      expect(exits.every((exit) => exit in exitCodes)).toBe(true);
    }
  });

  test('each command in them exists', async () => {
    const texts = Object.values({ ...serviceCodes, ...commandCodes }).map(({ means, next }) => `${means} ${next}`);
    const lines = new Set(texts.flatMap((text) => Array.from(text.matchAll(/`cs ([a-z][^`]*)`/g), ([, line]) => line as string)));
    expect(lines.size).toBeGreaterThan(20);
    for (const line of lines) {
      // As far as its words go; what follows are values.
      const [words = ''] = /^[a-z-]+(?: [a-z][a-z-]*)*/.exec(line) ?? [];
      const { code, stderr } = await cs([...words.split(' '), '--help']);
      expect(code, `${line}: ${stderr}`).toBe(0);
    }
  });
});

test.each(everyCode().map(({ code }) => code))('cs explain %s', async (code) => {
  const { code: exit, json } = await cs(['explain', code]);
  expect([exit, json.code]).toEqual([0, code]);
  const { stdout } = await cs(['explain', code], { as: 'terminal' });
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(stdout).toContain('NEXT');
});

describe('what it tells', () => {
  test('status, exit code and who answers it', async () => {
    const { json } = await cs(['explain', 'parking_spot_occupied']);
    expect(json).toMatchObject({ status: 422, exitCodes: [7], from: ['service', 'command'] });
    expect(json.operations).toContainEqual({ id: 'carEvents.create', method: 'POST', path: '/api/v1/cars/{id}/events' });
    expect((await cs(['explain', 'not_signed_in'])).json).toMatchObject({
      status: null,
      exitCodes: [4],
      from: ['command'],
      operations: [],
    });
  });
  test('every code, bare, with all that it means on a terminal', async () => {
    const { stdout } = await cs(['explain'], { as: 'terminal' });
    expect(stdout.split('\n').filter((line) => line.length > 80 || line.includes('…'))).toEqual([]);
    const said = stdout.replace(/\s+/g, ' ');
    for (const { code, means } of everyCode()) expect(said).toContain(`${code} ${means}`);
    expect((await cs(['explain', '--columns', 'code,exit'], { as: 'terminal' })).stdout).toMatch(/^CODE +EXIT\n/);
  });
  test('every code, bare', async () => {
    const { json } = await cs(['explain']);
    expect(json).toHaveLength(known.size);
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
    for (const code of Object.keys(exitCodes)) expect((await cs(['explain', code], { as: 'terminal' })).code).toBe(0);
  });
  test.each([
    ['http_502', 502, [10]],
    ['502', 502, [10]],
    ['http_503', 503, [10]],
    ['http_413', 413, [3]],
    ['http_404', 404, [9, 6]],
    ['HTTP-418', 418, [3]],
  ])('%s, which the command makes of a status', async (word, status, exits) => {
    const { code, json } = await cs(['explain', word]);
    expect([code, json]).toEqual([0, expect.objectContaining({ code: `http_${status}`, status, exitCodes: exits, operations: [] })]);
    const { stdout } = await cs(['explain', word], { as: 'terminal' });
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
  test('what is meant by a slip, and that there is no such code', async () => {
    expect((await cs(['explain', 'Parking-Spot-Occupied'])).json.code).toBe('parking_spot_occupied');
    expect((await cs(['explain', 'parking_spot_ocupied'])).error).toMatchObject({
      exitCode: 2,
      hint: 'did you mean parking_spot_occupied?',
    });
    expect((await cs(['explain', '999'])).error).toMatchObject({ exitCode: 2, message: '"999" is no code that is known here.' });
  });
});
