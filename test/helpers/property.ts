/**
 * fast-check for property tests. A failure prints its seed.
 * CS_LONG=1 makes many more runs than an ordinary test run has time for.
 */
import fc from 'fast-check';
import { seed } from './seed.ts';

fc.configureGlobal({
  seed,
  reporter(details) {
    if (!details.failed) return;
    throw new Error(
      `${fc.defaultReportMessage(details)}\n\nRepeat it with CS_SEED=${details.seed}`,
      { cause: details.errorInstance },
    );
  },
});

export const long = Boolean(process.env.CS_LONG);
export default fc;
