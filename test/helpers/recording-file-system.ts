/** The real file system with a record of unsynced changes, and a crash before the call that a test selects. */
import * as node from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileSystem } from '../../src/service/files/file-system.ts';

type Handle = Awaited<ReturnType<typeof node.open>>;

export interface Call {
  readonly name: string;
  readonly path: string;
  /** The changes that a power failure before the call would have undone. */
  readonly unsynced: readonly string[];
}

export interface RecordingFileSystem extends FileSystem, Pick<typeof node, 'link'> {
  readonly calls: readonly Call[];
  /** Contents and names that may not be on the disk yet. */
  unsynced(): string[];
}

/** `crash` replaces the call with that number and all later calls; they have no other effect. */
export function recordingFileSystem({
  crashAt = Number.POSITIVE_INFINITY,
  crash = refuse,
} = {}): RecordingFileSystem {
  const calls: Call[] = [];
  const contents = new Set<string>();
  const names = new Set<string>();
  const unsynced = () =>
    [
      ...[...contents].map((path) => `content of ${path}`),
      ...[...names].map((path) => `name ${path}`),
    ].sort();
  const note = (name: string, path: string) => {
    calls.push({ name, path, unsynced: unsynced() });
    if (calls.length >= crashAt) crash();
  };
  const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
  const forget = (path: string) => {
    for (const known of [contents, names])
      for (const one of known) if (isIn(one, path)) known.delete(one);
  };

  return {
    calls,
    unsynced,
    async mkdir(path: string, options: { recursive: true; mode: number }) {
      note('mkdir', path);
      const first = await node.mkdir(path, options);
      if (first !== undefined)
        for (let made = path; made.length >= first.length; made = dirname(made)) names.add(made);
      return first;
    },
    async open(path: string, flags: string, mode?: number) {
      if (flags !== 'r') note('open', path);
      const handle = await node.open(path, flags, mode);
      const isFolder = (await handle.stat()).isDirectory();
      if (flags !== 'r') {
        contents.add(path);
        names.add(path);
      }
      return recordingHandle(handle, {
        write: () => note('write', path),
        async sync() {
          note('sync', path);
          await handle.sync();
          if (!isFolder) contents.delete(path);
          else for (const one of names) if (dirname(one) === path) names.delete(one);
        },
      });
    },
    async link(from: string, to: string) {
      note('link', to);
      await node.link(from, to);
      if (contents.has(from)) contents.add(to);
      names.add(to);
    },
    async rename(from: string, to: string) {
      note('rename', to);
      await node.rename(from, to);
      for (const known of [contents, names])
        for (const one of known) {
          if (!isIn(one, from)) continue;
          known.delete(one);
          if (one !== from || known === contents) known.add(to + one.slice(from.length));
        }
      names.add(to);
    },
    async rm(path: string, options?: object) {
      note('rm', path);
      await node.rm(path, options);
      forget(path);
    },
    async unlink(path: string) {
      note('unlink', path);
      await node.unlink(path);
      forget(path);
    },
  } as RecordingFileSystem;
}

function recordingHandle(
  handle: Handle,
  { write, sync }: { write: () => void; sync: () => Promise<void> },
): Handle {
  return {
    stat: () => handle.stat(),
    close: () => handle.close(),
    [Symbol.asyncDispose]: () => handle.close(),
    sync,
    async writeFile(content: Uint8Array) {
      write();
      await handle.writeFile(content);
    },
  } as unknown as Handle;
}

class Crash extends Error {}
const refuse = (): never => {
  throw new Crash('The process has ended');
};
