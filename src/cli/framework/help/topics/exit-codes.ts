import { exitCodes } from '../../../errors/codes.ts';
import { lines, type Part, page, rows, section } from './page.ts';

export const exitCodesText = (): Part[] =>
  page(
    section(
      'EXIT CODES',
      rows(Object.entries(exitCodes).map(([code, { means }]) => [code.padStart(3), means])),
    ),
    section(
      'IN A SCRIPT',
      'An exit code other than 0 comes with an error on stderr. Incomplete output on stdout never looks complete. With JSON output the error is one object: {"error": {code, message, status, details, requestId, hint, exitCode}}.',
      lines('cs cars get "WN AB 123" > car.json || echo "exit code $?"'),
      '`cs explain CODE` explains an error code, `cs explain 7` an exit code.',
    ),
  );
