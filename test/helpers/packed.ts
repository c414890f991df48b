/** The npm package as its users get it. */
import { join, resolve } from 'node:path';
import { execa } from 'execa';

const root = resolve(import.meta.dirname, '../..');

export interface Packed {
  /** The path of the file. */
  readonly tarball: string;
  /** The paths of its files. */
  readonly files: readonly string[];
}

/** Packs what the build made. */
export async function packInto(folder: string): Promise<Packed> {
  const { stdout } = await execa(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { cwd: root },
  );
  const [{ filename, files }] = JSON.parse(stdout) as [
    { filename: string; files: { path: string }[] },
  ];
  return { tarball: join(folder, filename), files: files.map(({ path }) => path) };
}
