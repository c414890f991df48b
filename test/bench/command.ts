/** The command as a whole process, against the least that could do the same, in turns. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { spawn as spawnTerminal } from '@lydell/node-pty';
import { bin } from '../helpers/built.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { type Figure, inTurns, median, memory, time } from './figures.ts';

export interface CommandFigures {
  readonly facility: readonly Figure[];
  readonly large: readonly Figure[];
}

interface Options {
  readonly rounds: number;
  readonly records: number;
  readonly say: (what: string) => void;
}

const tableRows = 10_000;
const scriptOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export async function measureCommand({ rounds, records, say }: Options): Promise<CommandFigures> {
  const folder = await makeFolder();
  const [many, some] = await Promise.all([startPages(records), startPages(tableRows)]);
  const key = 'csk_bench.secret';
  const env = {
    PATH: process.env.PATH,
    CS_CONFIG_DIR: folder,
    CS_CACHE_DIR: folder,
    CS_STATE_DIR: folder,
    CS_BASE_URL: some.url,
    CS_API_KEY: key,
  };
  const cs = (...argv: string[]) => ({ argv: [bin, ...argv], env });
  const bare = { argv: ['-e', '0'], env };
  const fetching = { argv: [scriptOf('fetch-script.mjs'), some.url, key], env };
  const dozen = ['cars', 'list', '--limit', '12', '-o'];
  const cases = [
    { name: 'cs --version', run: cs('--version'), floor: bare, than: 'node -e 0', most: 1.5 },
    { name: 'cs --help', run: cs('--help'), floor: bare, than: 'node -e 0', most: 1.5 },
    {
      name: 'cs cars list --help',
      run: cs('cars', 'list', '--help'),
      floor: bare,
      than: 'node -e 0',
      most: 1.8,
    },
    {
      name: 'completion of a car',
      run: cs('__complete', 'cars', 'get', ''),
      floor: bare,
      than: 'node -e 0',
      most: 1.8,
    },
    {
      name: 'cs cars list -o json',
      run: cs('cars', 'list', '-o', 'json'),
      floor: fetching,
      than: 'fetch, parse, print',
      most: 1.6,
    },
    {
      name: 'a table of 12 cars',
      run: cs(...dozen, 'table'),
      floor: cs(...dozen, 'json'),
      than: 'the same as JSON',
      most: 1.15,
    },
  ];
  try {
    // Names for the completion, and what Node keeps of compiled code.
    for (const argv of [
      ['__complete', 'cars', 'get', ''],
      ['__complete-names', '{}'],
      ...cases.map(({ run }) => run.argv.slice(1)),
    ])
      await run(cs(...argv));
    const facility: Figure[] = [];
    for (const { name, run: ours, floor, than, most } of cases) {
      const compared = await inTurns(
        rounds,
        () => run(ours),
        () => run(floor),
      );
      facility.push(time(name, compared, { than, target: { most } }));
      say(`${name}: ${compared.ours.toFixed(1)} ms, ${than} ${compared.other.toFixed(1)} ms`);
    }

    const list = {
      argv: [bin, 'cars', 'list', '--all', '-o', 'ndjson'],
      env: { ...env, CS_BASE_URL: many.url },
    };
    const loop = { argv: [scriptOf('loop-script.mjs'), many.url, key], env };
    const stream = await inTurns(
      3,
      () => run(list),
      () => run(loop),
    );
    say(`${records} records: ${stream.ours.toFixed(0)} ms, loop ${stream.other.toFixed(0)} ms`);
    const used = await peakMemoryOf(list);
    const tables: number[] = [];
    for (let round = 0; round < 3; round++)
      tables.push(await runOnTerminal(cs('cars', 'list', '--all')));
    const ours = median(tables);
    say(`table of ${tableRows} rows: ${ours.toFixed(0)} ms`);
    const all = `cs cars list --all -o ndjson, ${records.toLocaleString('en')} records`;
    return {
      facility,
      large: [
        time(all, stream, { than: 'loop over undici', target: { least: 0.5 } }),
        memory('memory of that at its most', used, 220),
        {
          name: `a table of ${tableRows.toLocaleString('en')} rows on a terminal`,
          ours,
          unit: 'ms',
          target: { below: 1_500 },
        },
      ],
    };
  } finally {
    many.stop();
    some.stop();
    await removeFolder(folder);
  }
}

export interface Run {
  readonly argv: readonly string[];
  readonly env: Record<string, string | undefined>;
}

/** Resolves with the milliseconds that the process took; what it writes is thrown away by the system. */
export async function run({ argv, env }: Run): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`);
  return performance.now() - begun;
}

/** The most memory that the process has had, in bytes, as the system says at its end. */
export async function peakMemoryOf({ argv, env }: Run): Promise<number> {
  const tell = new URL('tell-memory.mjs', import.meta.url).href;
  return Number(await stderrOf({ argv: ['--import', tell, ...argv], env })) * 1024;
}

/** What the process writes to stderr. */
export async function stderrOf({ argv, env }: Run): Promise<string> {
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (chunk) => {
    told += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${told}`);
  return told;
}

/** As `run`, on a terminal of 120 cells that reads everything. */
function runOnTerminal({ argv, env }: Run): Promise<number> {
  const begun = performance.now();
  const terminal = spawnTerminal(process.execPath, [...argv], {
    cols: 120,
    rows: 40,
    env: { ...env, TERM: 'xterm-256color', CS_PAGER: 'cat' },
  });
  let lines = 0;
  terminal.onData((text) => {
    lines += text.split('\n').length - 1;
  });
  return new Promise((resolve, reject) => {
    terminal.onExit(({ exitCode }) => {
      if (exitCode !== 0 || lines < tableRows)
        reject(new Error(`${argv.join(' ')} ended with ${exitCode} after ${lines} lines`));
      else resolve(performance.now() - begun);
    });
  });
}

export async function startPages(total: number): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, [scriptOf('pages-script.ts'), String(total)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url: JSON.parse(line).url, stop: () => void child.kill() };
}
