/** The list of photos beside the code. */
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import {
  adviceFor,
  codeLines,
  drawScreen,
  type ScreenView,
} from '../../../src/cli/phone/screen.ts';
import { noStyles } from '../../../src/cli/terminal/style.ts';

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
const styles = noStyles;
const why =
  "It isn't a supported photo type (JPEG, PNG, WebP, HEIC, AVIF, GIF): send a photo as the phone took it.";
const draw = (more: Partial<ScreenView>, columns = 80) =>
  drawScreen({ ...view, ...more }, { columns, rows: 24 }, styles);

test.each([60, 80, 120])(
  'the reason of a refusal is told whole, broken between words, at %i columns',
  (columns) => {
    const lines = draw({ listed: [{ kind: 'refused', name: 'notes.txt', message: why }] }, columns);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    const shown = lines.map((line) => line.trim());
    expect(shown.slice(shown.indexOf('✗ notes.txt') + 1).join(' ')).toContain(why);
  },
);

test('photos that have no room are counted, with a refusal among them as one', () => {
  const arrived = (name: string) =>
    ({ kind: 'arrived', name, sizeBytes: 2_700_000, note: '', photo: name }) as const;
  const refused = (name: string) => ({ kind: 'refused', name, message: why }) as const;
  const listed = [
    ...Array.from({ length: 9 }, (_, at) => arrived(`IMG_${at}.jpg`)),
    ...[1, 2, 3].map((at) => refused(`notes ${at}.txt`)),
  ];
  const lines = draw({ listed, code: codeLines(view.url) }).map(stripVTControlCharacters);
  const hidden = lines.flatMap((line) => /… (\d+) more above$/.exec(line)?.[1] ?? []).map(Number);
  const shown = lines.filter((line) => / [✓✗] /.test(line)).length;
  expect(hidden).toEqual([listed.length - shown]);
  expect(shown).toBeGreaterThan(0);
});

test('sizes are in megabytes of 1,000,000 bytes', () => {
  const lines = draw({
    listed: [{ kind: 'arrived', name: 'IMG_1.jpg', sizeBytes: 2_749_000, note: '', photo: 1 }],
  });
  expect(lines.join('\n')).toMatch(/✓ IMG_1\.jpg +2\.7 MB\n[\s\S]*1 photo, 5\.4 MB\n/);
});

test('why no phone comes: at once over SSH and in WSL, after a while what to check', () => {
  const advice = (env: Record<string, string>, isSilent = false) =>
    adviceFor({ env }, { isSilent, port: 8788, others: ['10.0.0.2'] }).join('\n');
  expect(advice({})).toBe('');
  expect(advice({ SSH_CONNECTION: '192.0.2.9 1 192.0.2.1 22' })).toMatch(
    /^Over SSH the phone can't/,
  );
  expect(advice({ WSL_DISTRO_NAME: 'Ubuntu' })).toMatch(/^In WSL the phone can't/);
  expect(advice({}, true)).toMatch(/lets TCP 8788 in\n- or --phone-address 10\.0\.0\.2$/);
});
