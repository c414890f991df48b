/** The log of warnings. */
import type { FastifyBaseLogger } from 'fastify';
import { expect, test } from 'vitest';
import type { Database } from '../../src/service/database/database.ts';
import { createWarningLog } from '../../src/service/warnings.ts';

test('a warning is logged when it appears, and again only after it has gone', async () => {
  const logged: unknown[] = [];
  const logger = {
    warn: ({ code }: { code: string }) => void logged.push(code),
  } as FastifyBaseLogger;
  let searchIsIndexed = true;
  const database = {
    get searchIsIndexed() {
      return searchIsIndexed;
    },
  } as Database;
  const log = createWarningLog(database, logger);
  const counts = [];
  for (searchIsIndexed of [true, false, false, true, false]) {
    await log();
    counts.push(logged.length);
  }
  expect(counts).toEqual([0, 1, 1, 1, 2]);
  expect(new Set(logged)).toEqual(new Set(['search_without_index']));
});
