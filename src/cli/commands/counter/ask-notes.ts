import type { Context } from '../../framework/context.ts';
import { askLine } from '../../prompts/prompts.ts';

const longestNotes = 10_000;

export async function askNotes(context: Context): Promise<string | undefined> {
  const check = (text: string) => (text.length > longestNotes ? `At most ${longestNotes} characters.` : undefined);
  return (await askLine(context, { label: 'Notes', hint: 'optional, Enter for none', check })) || undefined;
}
