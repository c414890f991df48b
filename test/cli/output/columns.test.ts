/** The columns of every list, in their order, and what a narrow terminal does with each; of other results the fields. */
import { expect, test } from 'vitest';
import { catalogue } from '../../../src/cli/commands/catalogue.ts';
import type { Command } from '../../../src/cli/framework/command.ts';
import {
  createProgram,
  finishSetup,
  loadFamily,
} from '../../../src/cli/framework/tree/live-tree.ts';
import type { Column } from '../../../src/cli/output/view.ts';

const textOf = ({ header, align, droppable, neverCut, minCells, below, moment }: Column) => {
  const marks = [
    align === 'right' && 'right',
    droppable && 'left out',
    neverCut && 'never cut',
    minCells !== undefined && `at least ${minCells} cells`,
    below && 'below its row',
    moment && 'with how far it is away',
  ].filter(Boolean);
  return marks.length > 0 ? `${header} (${marks.join(', ')})` : header;
};

function listsOf(command: Command, path: string): [string, string][] {
  finishSetup(command);
  const { columns = [], fields = [] } = command.result ?? {};
  const shown = columns.length > 0 ? columns.map(textOf).join('\n  ') : fields.join(', ');
  return [
    ...(shown ? [[path, shown] as [string, string]] : []),
    ...command.commands.flatMap((below) => listsOf(below, `${path} ${below.name()}`)),
  ];
}

test('columns of lists', async () => {
  const program = createProgram(catalogue);
  const families = await Promise.all(
    program.commands.map((command) => loadFamily(catalogue, program, command.name())),
  );
  const lists = families.flatMap((family) => listsOf(family as Command, `cs ${family?.name()}`));
  const texts = Map.groupBy(lists, ([, columns]) => columns);
  const blocks = [...texts].map(
    ([columns, of]) => `${of.map(([path]) => path).join('\n')}\n  ${columns}\n`,
  );
  await expect(blocks.join('\n')).toMatchFileSnapshot('columns.txt');
});
