/** The files of the dashboard as the build wrote them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../dist/dashboard');
let names: string[];
beforeAll(() => {
  names = readdirSync(folder);
});

const text = (name: string) => readFileSync(join(folder, name), 'utf8');
const kilobytes = (some: readonly string[]) =>
  some.reduce((sum, name) => sum + readFileSync(join(folder, `${name}.gz`)).length, 0) / 1000;
/** The scripts that a script loads before it runs. */
function withImports(name: string): string[] {
  const imported = Array.from(
    text(name).matchAll(/\bfrom\s?"\.\/([^"]+)"|\bimport\s?"\.\/([^"]+)"/g),
    ([, from, bare]) => (from ?? bare) as string,
  );
  return [...new Set([name, ...imported.flatMap(withImports)])];
}

test('the first page takes at most 55 KB of script, plots 25 KB, the QR code of a phone link 4 KB, and the style sheet 8 KB', () => {
  const first = withImports(/src="\/dashboard\/([^"]+)"/.exec(text('page.html'))?.[1] ?? '');
  const scripts = names.filter((name) => name.endsWith('.js'));
  expect(first.length).toBeGreaterThan(0);
  expect(kilobytes(first)).toBeLessThan(55);
  const later = scripts.filter((name) => !first.includes(name));
  const plots = later.filter((name) => name.startsWith('plot-'));
  expect(plots).toHaveLength(1);
  expect(kilobytes(plots)).toBeLessThan(25);
  expect(kilobytes(later) - kilobytes(plots)).toBeLessThan(4);
  expect(kilobytes(names.filter((name) => name.endsWith('.css')))).toBeLessThan(8);
});

test('each file has a smaller form beside it, and each but the page a name that changes with it', () => {
  const files = names.filter((name) => !/\.(br|gz)$/.test(name));
  for (const name of files)
    expect(names).toEqual(expect.arrayContaining([`${name}.br`, `${name}.gz`]));
  expect(files.filter((name) => !/-[\w-]{8}\.\w+$/.test(name))).toEqual(['page.html']);
});

test('the page has no inline script and no style, and asks no other host', () => {
  const page = text('page.html');
  expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]* src=)/);
  expect(page).not.toMatch(/(?:src|href)="(?!\/dashboard\/)/);
  expect(page).toContain('This page needs JavaScript.');
});

test('validation stays in the service', () => {
  for (const name of names.filter((name) => name.endsWith('.js')))
    expect(text(name)).not.toMatch(/ZodType|\bzod\b/i);
});
