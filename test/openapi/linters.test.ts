/** Two independent linters check the description with their recommended rules. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../src/openapi/document.ts';

const linters: Record<string, (text: string) => Promise<string[]>> = {
  async Redocly(source) {
    const config = await createConfig({ extends: ['recommended'] });
    const found = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    return found.map(
      ({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer}: ${message}`,
    );
  },
  async Spectral(source) {
    const spectral = new Spectral();
    // The types of the package belong to another version of it.
    spectral.setRuleset({ extends: [[oas as never, 'recommended']] });
    return (await spectral.run(source)).map(
      ({ code, message, path }) => `${code} ${path.join('/')}: ${message}`,
    );
  },
};

describe.each(Object.entries(linters))('%s', (_name, lint) => {
  test('reports no problems', async () => {
    expect(await lint(JSON.stringify(openApiDocument()))).toEqual([]);
  });

  test('reports a faulty description', async () => {
    const { openapi } = openApiDocument();
    const schema = { $ref: '#/components/schemas/Nothing' };
    const content = { 'application/json': { schema } };
    const responses = { 200: { description: 'A car.', content } };
    const found = await lint(
      JSON.stringify({ openapi, paths: { '/cars': { get: { responses } } } }),
    );
    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/(field|property) \W?info\b/),
        expect.stringMatching(/ref.*schema.*(resolve|exist)/i),
      ]),
    );
  });
});
