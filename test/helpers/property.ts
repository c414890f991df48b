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

/** Any characters. The unit `binary` of fast-check is the same, and takes a second to make. */
export const anyText = fc.string({
  unit: fc
    .integer({ min: 0, max: 0x10ffff })
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point)),
});
export default fc;
