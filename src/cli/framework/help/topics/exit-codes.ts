import { exitCodes } from '../../../errors/codes/code.ts';
import { lines, page, rows, section } from './page.ts';

export const exitCodesText = (): string =>
  page(
    section('EXIT CODES', rows(Object.entries(exitCodes).map(([code, meaning]) => [code.padStart(3), meaning]))),
    section(
      'IN A SCRIPT',
      'A code other than 0 comes with an error on stderr, and nothing on stdout passes for the whole when it is not. With JSON output the error is one object: {"error": {code, message, status, details, requestId, hint, exitCode}}.',
      lines('cs cars get "WN AB 123" > car.json || echo "exit code $?"'),
      '`cs explain CODE` tells more of an error, `cs explain 7` of an exit code.',
    ),
  );
