/**
 * Several paths on one line, as a person writes them in a shell: separated by space, quoted or with backslashes where they hold some.
 * That is also what terminals write for files dropped on them. On Windows a backslash separates folders and stands for itself.
 */
export function splitPaths(line: string, platform: NodeJS.Platform): string[] {
  const escapes = platform !== 'win32';
  const paths: string[] = [];
  let path: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] as string;
    if (quote) {
      if (character === quote) quote = undefined;
      else path += character;
    } else if (/\s/.test(character)) {
      if (path !== undefined) paths.push(path);
      path = undefined;
    } else if (character === '"' || (character === "'" && path === undefined) || (character === "'" && line.indexOf("'", at + 1) > 0)) {
      quote = character;
      path ??= '';
    } else if (character === '\\' && escapes && at + 1 < line.length) {
      at += 1;
      path = (path ?? '') + line[at];
    } else path = (path ?? '') + character;
  }
  if (path !== undefined) paths.push(path);
  return paths;
}
