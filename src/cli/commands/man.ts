/** `cs man`: the manual without a program that reads it, for the executable, containers and Windows. */
import { partsIn, readPart } from '../../parts.ts';
import type { Context } from '../context.ts';
import { usage } from '../errors/exit.ts';
import { Argument, type CommandBuilder, type Input } from '../framework/command.ts';
import { readableManPage } from '../framework/reference/man-text.ts';
import { createPrinter } from '../output/pager.ts';
import { nearest } from '../terminal/text.ts';

export const man: CommandBuilder = (command) => {
  command
    .tolerateEnvironment()
    .description(
      'Show a page of the manual: of a command with everything below it, or of a help topic. In a pipe it is plain text.',
    )
    .addArgument(new Argument('[page...]', 'a command or a topic'))
    .handle(run);
  command.examples(['cs man', 'cs man dropoff', 'cs man exit-codes | less']);
};

async function run({ io, settings }: Context, { args: [page] }: Input): Promise<void> {
  const wanted: string = page.join(' ') || 'cs';
  const files = partsIn('man');
  const names = files.map((file) => file.replace(/^cs-|\.\d$/g, ''));
  // The page of a command holds everything below it.
  const words = wanted.replace(/^cs[- ](?=.)/, '').split(/[- ]/);
  const at = words
    .map((_word, n) => names.indexOf(words.slice(0, words.length - n).join('-')))
    .find((found) => found >= 0);
  if (at === undefined) {
    const [close] = nearest(wanted, names);
    throw usage(
      `The manual has no page "${wanted}".`,
      close ? `did you mean ${close}?` : '`cs man` lists the pages',
    );
  }
  const text = readableManPage(readPart(`man/${files[at]}`).toString(), io.columns ?? 80);
  const printer = createPrinter(io, settings);
  await printer.print(text);
  await printer.done();
}
