/**
 * What the build makes beside the code, and what depends on how `cs` was delivered. Here the files of `dist`; in the executable,
 * parts-executable.ts takes the place of this file.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

type Sharp = typeof import('sharp').default;

/** The bundle has it in a folder of `dist`, the sources beside `dist`. */
export const isBuilt = import.meta.filename.endsWith('.js');
const dist = new URL(isBuilt ? '../' : '../dist/', import.meta.url);

/** How this `cs` came to the machine. */
export function delivery(): 'executable' | 'npm' | 'checkout' {
  return existsSync(new URL('../src/parts.ts', dist)) ? 'checkout' : 'npm';
}

/** A file of `dist`, such as `tree/root.json`. */
export const readPart = (name: string): Buffer => readFileSync(new URL(name, dist));

/** The names of the files in a folder of `dist`. Throws where they weren't built. */
export const partsIn = (folder: string): string[] => readdirSync(new URL(`${folder}/`, dist));

/** The words that start this `cs` again. */
export const self = (): readonly string[] => [process.execPath, process.argv[1] as string];

/** The image library, which only photos load. */
export const loadSharp = async (): Promise<Sharp> => (await import('sharp')).default;

/** The program of a thread: the file, or its text with `eval`. */
export const threadProgram = (): { readonly program: string | URL; readonly eval: boolean } => ({
  program: isBuilt
    ? new URL('chunks/thread-worker.js', dist)
    : new URL('service/database/sqlite/thread-worker.ts', import.meta.url),
  eval: false,
});

/** An expression of CommonJS that gives the library of jq, for a thread. */
export const jqExpression = (): string => {
  const { createRequire } = process.getBuiltinModule('node:module');
  return `require(${JSON.stringify(createRequire(import.meta.url).resolve('jq-wasm'))})`;
};
