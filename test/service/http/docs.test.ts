/** The first page and the documentation of the interface, as the service serves them. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { liveTree } from '../../../src/cli/commands/catalogue.ts';
import type { CommandInfo } from '../../../src/cli/framework/tree/manifest.ts';
import { commandChains } from '../../../src/cli/framework/tree/tree.ts';
import { contract } from '../../../src/contract/contract.ts';
import { walk } from '../../../src/contract/operations.ts';
import { problems } from '../../../src/contract/problems.ts';
import { cs } from '../../helpers/cli.ts';
import { startTestService, testService } from '../../helpers/service.ts';

const service = await testService();

const read = async (path: string, from = service.url, coding = 'gzip') => {
  const answer = await fetch(from + path, { headers: { 'accept-encoding': coding } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const docs = await read('/docs');
const signs: Readonly<Record<string, string>> = { '34': '"', '38': '&', '60': '<', '62': '>' };
const plain = (html: string) => html.replace(/&#(\d+);/g, (_, code: string) => signs[code] ?? '');
/** The example of a kind for each operation. */
const examples = (kind: string) =>
  new Map(
    docs.text
      .split('<article id="')
      .slice(1)
      .map((article): [string, string] => {
        const [, rest = ''] = article.split(`<figcaption>${kind}</figcaption>`);
        const [, text = ''] = /^<pre tabindex="0"><code>(.*?)<\/code>/s.exec(rest) ?? [];
        return [article.split('"', 1)[0] as string, plain(text)];
      }),
  );

test.each(['/', '/docs'])('%s is a page without script, and asks for nothing', async (path) => {
  const { status, headers, text } = await read(path);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).not.toMatch(/<(script|link|img|iframe|form|object)\b|\bon\w+=|url\(|@import/);
  const addresses = [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses.filter((address) => !/^(#|\/(?!\/))/.test(address ?? ''))).toEqual([]);
  const [style = ''] = /(?<=<style>).*(?=<\/style>)/s.exec(text) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
});

test.each([['br'], ['gzip'], [null]])('the documentation is sent as %s', async (coding) => {
  const { headers, text } = await read('/docs', service.url, coding ?? 'identity');
  expect([headers.get('content-encoding'), text]).toEqual([coding, docs.text]);
});

test('the first page leads to what there is', async () => {
  const { text } = await read('/');
  const linked = [...text.matchAll(/href="([^"]*)"/g)].map(([, address = '']) => address);
  expect(linked).toEqual(['/dashboard/', '/docs', '/api/v1/openapi.json']);
  for (const address of linked) expect((await read(address)).status).toBe(200);
  const without = await startTestService({ dashboard: false });
  const { text: other } = await read('/', without.url);
  await without.close();
  expect(other).not.toContain('dashboard');
});

describe('the documentation', () => {
  const operations = [...walk(contract)];

  test('has every operation with its path, and every error', () => {
    const ids = [...operations.map(({ id }) => id), 'openapi.get'].sort();
    expect([...examples('curl').keys()].sort()).toEqual(ids);
    for (const { path, method, id } of operations) {
      const curl = examples('curl').get(id);
      expect(curl).toMatch(
        new RegExp(
          `^curl (-X ${method} )?"\\$CS_BASE_URL/api/v1${path.replace(/\{\w+\}/g, '[0-9a-f-]{36}')}["?]`,
        ),
      );
      expect(curl?.includes('-X')).toBe(method !== 'GET');
    }
    for (const code of Object.keys(problems)) expect(docs.text).toContain(`id="error-${code}"`);
  });

  test('links lead to a place on the page', () => {
    const ids = new Set([...docs.text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
    const wanted = [...docs.text.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
    expect(wanted.filter((id) => !ids.has(id as string))).toEqual([]);
    expect(ids.size).toBe([...docs.text.matchAll(/ id="/g)].length);
  });

  /** test/cli/examples.test.ts runs every one of those. */
  test('an example of cs is one of the command that does it', async () => {
    const known = new Map<string, string[]>();
    for (const { name } of (await liveTree.root()).commands)
      for (const chain of commandChains([await liveTree.family(name)])) {
        const { operations, examples: lines } = chain.at(-1) as CommandInfo;
        for (const id of operations) known.set(id, [...(known.get(id) ?? []), ...lines]);
      }
    for (const [id, line] of examples('cs'))
      expect(known.get(id) ?? ['cs api GET /me', 'cs api GET /openapi.json'], id).toContain(line);
    expect(examples('cs').size).toBe(examples('curl').size);
  });

  test('cs api, where no command does it', async () => {
    const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
    for (const id of ['me.get', 'openapi.get'])
      expect((await cs(examples('cs').get(id)?.split(' ').slice(1) ?? [], { env })).code).toBe(0);
  });

  test('a request of an example works as it is', async () => {
    const headers = { 'x-api-key': service.key, 'content-type': 'application/json' };
    const body = /-d '(.*)'$/s.exec(examples('curl').get('cars.create') ?? '')?.[1];
    const made = await fetch(`${service.url}/api/v1/cars`, { method: 'POST', headers, body });
    expect(made.status).toBe(201);
  });
});
