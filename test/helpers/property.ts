/**
 * fast-check for property tests, with a random seed. A failure prints the seed; CS_SEED sets it for the next run.
 * CS_LONG=1 makes many more runs than an ordinary test run has time for.
 */
import fc from 'fast-check';

const seed = process.env.CS_SEED
  ? Number(process.env.CS_SEED)
  : Math.floor(Math.random() * 2 ** 31);
if (!Number.isInteger(seed))
  throw new Error(`CS_SEED must be an integer, not ${process.env.CS_SEED}`);

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
