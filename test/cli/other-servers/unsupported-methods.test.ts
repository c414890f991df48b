/** 405 and 501: the server has no such operation, whatever record the request names. */
import { afterEach, describe, expect, test } from 'vitest';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

let facility: OtherFacility;
afterEach(() => facility.server.close());

const lines = [
  ['cars update {Ferdi} --color red', 'PATCH /cars/{id}'],
  ['customers create --first-name Ada', 'POST /customers'],
  ['cars events log {Greta} --type interior_cleaning', 'POST /cars/{id}/events'],
  ['contacts delete {Cy} --yes', 'DELETE /contacts/{id}'],
  ['templates list', 'GET /marketing/templates'],
  ['templates get {Welcome}', 'GET /marketing/templates/{id}'],
] as const;

describe.each([405, 501] as const)('%i', (status) => {
  describe.each(lines)('cs %s', (line, operation) => {
    test.each([false, true])('as a page: %s', async (page) => {
      const methods = [operation.split(' ')[0] as string];
      facility = furnish(
        await startOtherServer({ unsupported: { methods, status, page } }, () => noon),
      );
      const { code, stdout, told } = await runOn(facility, line);
      expect([code, stdout]).toEqual([9, '']);
      expect(told).toContain(` has no ${operation}`);
      expect(told).toContain('operation_missing');
      expect(told).not.toMatch(/may have been carried out|no such record/);
    });
  });
});
