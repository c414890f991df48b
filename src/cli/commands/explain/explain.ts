/** `cs explain`: the meaning and the next step of an error, in more detail than the error itself. */

import type { Context } from '../../context.ts';
import { sentence } from '../../errors/report.ts';
import {
  Argument,
  type CommandBuilder,
  type Input,
  suggestValues,
} from '../../framework/command.ts';
import type { View } from '../../output/view.ts';
import { type Styles, stylesFor } from '../../terminal/style.ts';
import { breakWords, type Entry, twoColumns } from '../../terminal/text.ts';
import { type Explanation, explainWord, listCodes } from './find.ts';

const codeView: View = {
  one: 'code',
  many: 'codes',
  columns: [
    { header: 'code', cell: (row) => row.code, neverCut: true },
    { header: 'status', cell: (row) => row.status, align: 'right' },
    { header: 'exit', cell: (row) => row.exitCodes.join(', '), align: 'right' },
    { header: 'means', cell: (row) => row.means, droppable: true },
  ],
  title: () => '',
};

export const explain: CommandBuilder = (command) => {
  command
    .description(
      'Explain an error code: meaning, next step, HTTP status, exit code, and the requests that can return it. Also accepts a status such as 422, or an exit code such as 7. Without an argument, list all codes.',
    )
    .addArgument(
      suggestValues(
        new Argument(
          '[code]',
          'the code from the last line of an error, an HTTP status, or an exit code',
        ),
        listCodes().map(({ code }) => code),
      ),
    );
  command.examples(['cs explain parking_spot_occupied', 'cs explain 7', 'cs explain -o json']);
  command.handle(run);
};

async function run({ io, output, settings }: Context, { args: [word] }: Input): Promise<void> {
  const page: Page = {
    styles: await stylesFor(io, 'stdout', settings.color),
    width: Math.min(io.columns ?? 80, 100),
  };
  if (word === undefined) {
    const codes = listCodes();
    // A table would cut the sentences; with --columns it is what was asked for.
    if (!settings.columns) return output.styled(codes, several('Error codes', codes, page));
    return output.list({ view: codeView, records: codes });
  }
  const found = explainWord(word);
  if ('code' in found) return output.styled(found.code, codeText(found.code, page));
  const title =
    'status' in found ? `Status ${found.status}` : `Exit code ${found.exitCode}: ${found.means}`;
  return output.styled(found, several(title, found.codes, page));
}

interface Page {
  readonly styles: Styles;
  readonly width: number;
}

/** More operations than this are only counted. */
const maxListed = 12;

function codeText(
  { code, status, exitCodes, means, next, operations }: Explanation,
  { styles, width }: Page,
): string {
  const facts = [
    ...(status === null ? [] : [`status ${status}`]),
    `exit ${exitCodes.join(' or ')}`,
  ];
  const lines = operations.map(({ method, path }) => `  ${method.padEnd(6)} ${path}`);
  const where =
    operations.length === 0
      ? []
      : operations.length > maxListed
        ? [`  ${operations.length} operations; list them with -o json`]
        : lines;
  return [
    `${styles.title(code)}\n${styles.dim(breakWords(facts.join(' · '), width))}`,
    breakWords(means, width),
    ...(next === null
      ? []
      : [`${styles.title('NEXT')}\n${breakWords(sentence(next), width - 2).replace(/^/gm, '  ')}`]),
    ...(where.length > 0 ? [`${styles.title('RETURNED BY')}\n${where.join('\n')}`] : []),
  ].join('\n\n');
}

function several(title: string, codes: readonly Explanation[], { styles, width }: Page): string {
  const lines = twoColumns(
    codes.map(({ code, means }): Entry => [code, (room) => breakWords(means, room).split('\n')]),
    width,
  );
  return [
    styles.title(breakWords(title, width)),
    ...(lines.length > 0 ? [lines.join('\n'), 'Details: cs explain CODE'] : []),
  ].join('\n\n');
}
