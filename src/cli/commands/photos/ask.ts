import type { Context } from '../../framework/context.ts';
import { askLine } from '../../prompts/prompts.ts';
import { pluralize } from '../../terminal/text.ts';
import { completePath } from './complete-path.ts';
import type { PhotoFacts } from './facts.ts';
import { photoTable } from './lines.ts';
import { splitPaths } from './paths.ts';
import type { PhotoOptions } from './prepare.ts';
import { readPhotos, UnusablePhotos } from './read.ts';

/** Paths, folders or patterns, as typed, pasted or dropped on the terminal. What cannot be sent is said and asked again. */
export async function askPhotos(context: Context, options: PhotoOptions): Promise<PhotoFacts[]> {
  let photos: PhotoFacts[] = [];
  await askLine(context, {
    label: 'Photos',
    hint: 'files, a folder or a pattern such as *.jpg; Enter for none',
    complete: (line) => completePath(line, context.io),
    check: async (text) => {
      try {
        const patterns = splitPaths(text, context.io.platform);
        photos = patterns.length === 0 ? [] : await readPhotos(context, patterns, options);
        return undefined;
      } catch (error) {
        if (error instanceof UnusablePhotos) return whyNot(error);
        throw error;
      }
    },
  });
  if (photos.length > 0) context.io.stderr.write(`${photoTable(context, photos, options)}\n`);
  return photos;
}

function whyNot({ details: { issues }, hint }: UnusablePhotos): string {
  const why = issues.map(({ message }) => message).join('; ');
  return issues.length === 1 ? `${why}; ${hint}.` : `${pluralize(issues.length, 'file', 'files')} cannot be sent: ${why}`;
}
