/** The list of photos beside the code. */
import { stripVTControlCharacters } from 'node:util';
import { encode } from 'uqr';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/cli/context.ts';
import {
  adviceFor,
  codeLines,
  codeOf,
  drawScreen,
  type ScreenView,
} from '../../../src/cli/phone/screen.ts';
import { markedStyles } from '../../helpers/marked-styles.ts';

const view: ScreenView = {
  title: 'HH-RS 73 · drop-off',
  url: 'http://192.168.178.23:8788/#k7Q2mZx9k7Q2mZx9k7Q2mZ',
  code: [],
  phone: { id: 'p', device: 'iPhone', address: '192.168.178.57' },
  advice: [],
  listed: [],
  arriving: undefined,
  failures: 0,
  totalBytes: 5_400_000,
  missing: [],
  notice: undefined,
};

const whole = (more: Partial<ScreenView>, columns = 80, rows = 24) =>
  drawScreen({ ...view, ...more }, { columns, rows }, markedStyles);
const code = Array<string>(8).fill('█'.repeat(15));
const photo = {
  kind: 'arrived',
  name: 'IMG_1.jpg',
  sizeBytes: 2_749_000,
  note: '',
  photo: 1,
} as const;

describe('the whole screen', () => {
  test('before a phone has come, with a code to scan', () => {
    expect(
      whole({ phone: undefined, code, advice: ['- same Wi-Fi'], totalBytes: 0 }),
    ).toMatchInlineSnapshot(`
      [
        "  <title>Photos from a phone</title>                                        HH-RS 73 · drop-off",
        "  ███████████████  Scan with the phone's camera.",
        "  ███████████████  <dim>http://192.168.178.23:8788/#k7Q2mZx9k7Q2mZx9k7Q2mZ</dim>",
        "  ███████████████  The phone must be in the same network.",
        "  ███████████████  <warning>- same Wi-Fi</warning>",
        "  ███████████████",
        "  ███████████████",
        "  ███████████████",
        "  ███████████████",
        "  No photos yet",
        "  <dim>Esc without photos</dim>",
      ]
    `);
  });
  test('without a code, the address is typed', () => {
    const url = `http://host/#${'k'.repeat(20)}`;
    expect(whole({ phone: undefined, url }, 30)).toMatchInlineSnapshot(`
      [
        "  <title>Photos from a phone</title>   HH-RS…",
        "  Type this into the phone's",
        "  browser:",
        "  <command>http://host/</command>",
        "  <command>#kkkkkkkkkkkkkkkkkkkk</command>",
        "  The phone must be in the",
        "  same network.",
        "  No photos yet",
        "  <dim>Esc without photos</dim>",
      ]
    `);
    // As wide as the screen, and one cell less.
    expect(whole({ phone: undefined, url }, 35)[3]).toBe(`  <command>${url}</command>`);
    expect(whole({ phone: undefined, url }, 34).slice(3, 5)).toEqual([
      '  <command>http://host/</command>',
      `  <command>#${'k'.repeat(20)}</command>`,
    ]);
  });
  test('with photos, one on its way, and what is wrong', () => {
    const listed = [
      photo,
      { ...photo, name: 'a\u0007'.repeat(20), sizeBytes: 12_000_000, note: 'shrunk' },
      {
        kind: 'refused',
        name: 'notes.txt',
        message: 'Not a photo (JPEG, PNG, WebP, HEIC, AVIF, GIF): send it as the phone took it.',
      } as const,
    ];
    expect(
      whole({
        ...{ code, listed, missing: ['front', 'rear'], notice: 'Nothing to drop.', failures: 1 },
        arriving: { phone: 'p', id: 'd', name: 'IMG_4.jpg', received: 1, size: 3 },
      }),
    ).toMatchInlineSnapshot(`
      [
        "  <title>Photos from a phone</title>                                        HH-RS 73 · drop-off",
        "  ███████████████  Scan with the phone's camera.",
        "  ███████████████  <dim>http://192.168.178.23:8788/#k7Q2mZx9k7Q2mZx9k7Q2mZ</dim>",
        "  ███████████████  <success>iPhone connected (192.168.178.57)</success>",
        "  ███████████████  ✓ IMG_1.jpg                   2.7 MB",
        "  ███████████████  ✓ a␇a␇a␇a␇a␇a␇a␇a␇a␇a␇a␇a…   12.0 MB  shrunk",
        "  ███████████████  <error>✗ notes.txt</error>",
        "  ███████████████  <error>  Not a photo (JPEG, PNG, WebP, HEIC, AVIF, GIF): send it as</error>",
        "  ███████████████  <error>  the phone took it.</error>",
        "                   <command>↑ IMG_4.jpg                     33 %</command>",
        "  2 photos, 5.4 MB, 1 arriving",
        "  Missing: front, rear",
        "  <warning>1 message with another code refused.</warning>",
        "  <warning>Nothing to drop.</warning>",
        "  <dim>Enter send · x drop last · Esc no photos</dim>",
      ]
    `);
  });
  test('a narrow one has the list below the code, a low one the last photos or no code', () => {
    const refused = { kind: 'refused', name: 'a.txt', message: 'No photo. '.repeat(8) } as const;
    const listed = [1, 2, 3, 4].map((n) =>
      n === 4 ? refused : { ...photo, name: `IMG_${n}.jpg` },
    );
    expect(whole({ code, listed }, 74, 12)[1]).toContain('█  Scan');
    expect(whole({ code, listed }, 73, 16)).toMatchInlineSnapshot(`
      [
        "  <title>Photos from a phone</title>                                 HH-RS 73 · drop-off",
        "  ███████████████",
        "  ███████████████",
        "  ███████████████",
        "  ███████████████",
        "  ███████████████",
        "  ███████████████",
        "  ███████████████",
        "  ███████████████",
        "  <success>iPhone connected (192.168.178.57)</success>",
        "  <dim>… 3 more above</dim>",
        "  <error>✗ a.txt</error>",
        "  <error>  No photo. No photo. No photo. No photo. No photo. No photo. No photo.</error>",
        "  <error>  No photo. </error>",
        "  3 photos, 5.4 MB",
        "  <dim>Enter send · x drop last · Esc no photos</dim>",
      ]
    `);
    expect(whole({ code, listed }, 73, 17)[9]).toBe("  Scan with the phone's camera.");
    expect(whole({ code, listed }, 80, 11)[1]).toContain('█  Scan');
    expect(whole({ code, listed }, 80, 10)[1]).toBe("  Type this into the phone's browser:");
    expect(whole({ listed: [photo] }, 80, 4)).toMatchInlineSnapshot(`
      [
        "  <title>Photos from a phone</title>                                        HH-RS 73 · drop-off",
        "  <success>iPhone connected (192.168.178.57)</success>",
        "  1 photo, 5.4 MB",
        "  <dim>Enter send · x drop last · Esc no photos</dim>",
      ]
    `);
    expect(whole({ listed }, 20, 3)).toMatchInlineSnapshot(`
      [
        "  <title>Photos from a phone</title>  ",
        "  3 photos, 5.4 MB",
        "  <dim>Enter send · x dr…</dim>",
      ]
    `);
    // As many photos as have room.
    expect(whole({ listed: [photo, photo] }, 80, 6).slice(2, 4)).toEqual(
      Array(2).fill(expect.stringContaining('✓')),
    );
    expect(whole({ code, listed }, 16, 24)[1]).toBe('  Type this into');
  });
  test.each([
    [0, 0, '     0 %'],
    [1, 3, '    33 %'],
    [3, 3, '   100 %'],
    // More than it announced.
    [4, 3, '   100 %'],
  ])('%i of %i bytes are %s', (received, size, percent) => {
    const arriving = { phone: 'p', id: 'a', name: 'IMG_1.jpg', received, size };
    expect(whole({ arriving }).find((line) => line.includes('↑'))).toBe(
      `  <command>↑ IMG_1.jpg                 ${percent}</command>`,
    );
  });
});

describe('the code', () => {
  test('is black on white, two rows of modules a line, with a border of two', () => {
    const lines = codeLines(view.url).map((line) => stripVTControlCharacters(line));
    const { data } = encode(view.url, { ecc: 'L', border: 2 });
    expect(
      lines
        .flatMap((line) =>
          [0, 1].map((half) => [...line].map((sign) => (half === 0 ? '▀█' : '▄█').includes(sign))),
        )
        .slice(0, data.length),
    ).toEqual(data);
    expect(codeLines(view.url)[0]).toBe(`\u001b[38;5;16;48;5;231m${lines[0]}\u001b[0m`);
  });
  test.each<[object, boolean]>([
    [{}, true],
    [{ TERM: 'dumb' }, false],
    [{ NO_COLOR: '1' }, false],
    [{ LANG: 'C' }, false],
    [{ LANG: 'C', LC_ALL: 'C.UTF-8' }, true],
    [{ TERM: 'dumb', FORCE_COLOR: '1' }, false],
  ])('with the environment %j: %j', (env, isShown) => {
    const context = { io: { env, stderrIsTerminal: true }, settings: { color: 'auto' } };
    expect(codeOf(context as unknown as Context, view.url)).toHaveLength(isShown ? 17 : 0);
  });
});

test('why no phone comes: at once over SSH and in WSL, after a while what to check', () => {
  const advice = (env: Record<string, string>, isSilent = false) =>
    adviceFor({ env }, { isSilent, port: 8788, others: ['10.0.0.2'] });
  const rest = "the phone can't reach the machine that cs runs on. Go on without it.";
  expect(advice({})).toEqual([]);
  expect(advice({ SSH_CONNECTION: '192.0.2.9 1 192.0.2.1 22' })).toEqual([`Over SSH ${rest}`]);
  expect(advice({ WSL_DISTRO_NAME: 'Ubuntu' })).toEqual([`In WSL ${rest}`]);
  expect(advice({ WSL_DISTRO_NAME: 'Ubuntu' }, true)).toEqual([
    `In WSL ${rest}`,
    'No phone yet? Check:',
    '- same Wi-Fi, not a guest network',
    '- VPN off, on both',
    '- the firewall lets TCP 8788 in',
    '- or --phone-address 10.0.0.2',
  ]);
});
