/** A successful command line for every command that doesn't start a service. */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliOptions, type CliResult, cs as run } from './cli.ts';
import { anyId, type FoundLine, findLine } from './command-line.ts';
import { everyCommand, type KnownCommand, ofTheService, runnable } from './every-command.ts';
import { png } from './facility.ts';
import { makeFolder, removeFolder } from './folder.ts';
import type { SeenRequest } from './misbehaving-server.ts';
import { type SampleServer, startSampleServer } from './sample-server.ts';
import { writeDone, writeUnfinished } from './unfinished.ts';

export interface Line extends KnownCommand, Pick<FoundLine, 'line' | 'lacked'> {
  /** The exit code of a success. */
  readonly code: number;
  /** The methods of its requests, in order. */
  readonly methods: readonly string[];
}

export interface Lines {
  readonly all: readonly Line[];
  /** Lines that send requests. */
  readonly asking: readonly Line[];
  /** Lines that change data on a server. */
  readonly writing: readonly Line[];
  readonly server: SampleServer;
  /** Runs a line with the records that it needs, and resolves with its requests. */
  run(
    line: Line,
    more?: CliOptions & { readonly flags?: readonly string[] },
  ): Promise<CliResult & { readonly requests: readonly SeenRequest[] }>;
  /** Prepares the server's records for a line, and returns the options to run it with. */
  prepare(line: Line, more?: CliOptions): CliOptions;
  /** Signed in to the server. A new folder with a profile for each run, since some commands change it. */
  options(more?: CliOptions): CliOptions;
  close(): Promise<void>;
}

/** The record states that commands require. */
const scenes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'care apply': {
    config: { requiresParkingSpot: false, releasesParkingSpot: false },
    appointmentTypeId: '019aa0a3-4d00-7000-8000-994e9b1c7f78',
  },
  'appointments decline': { status: 'pending_approval' },
  'appointments approve': { status: 'pending_approval' },
  'campaigns resume': { status: 'paused' },
  'campaigns pause': { status: 'sending' },
  'campaigns cancel': { status: 'scheduled' },
  'cars photos verify': { sha256: createHash('sha256').update(png(1)).digest('hex') },
};

/** Computed once per process for all its test files: the lines depend on no server and no folder. */
let found: Promise<Line[]> | undefined;

export async function everyLine(): Promise<Lines> {
  const server = await startSampleServer();
  const folder = await makeFolder();
  writeFileSync(join(folder, 'photo.png'), png(1));
  writeFileSync(join(folder, 'cars.ndjson'), '{"year": 1973, "make": "Porsche", "model": "911"}\n');
  writeFileSync(join(folder, 'spots.csv'), 'spot,plate\nNorth hall,\n');
  writeFileSync(
    join(folder, 'facility.yaml'),
    'templates:\n  - {name: Hi, channel: sms, body: Hello}\n',
  );
  writeFileSync(
    join(folder, 'care.yaml'),
    'care:\n  - {type: drop_off, recurrenceFrequency: monthly, startAt: 2090-06-01 09:00, endAt: 2090-06-01 10:00}\n',
  );
  // Of another server: nothing is sent for it. Copied, since a new one takes longer than most commands.
  const unfinished = join(folder, 'unfinished');
  writeUnfinished(unfinished, { server: 'https://elsewhere.example', key: 'csk_c' });
  let made = 0;

  function options({ env, ...more }: CliOptions = {}): CliOptions {
    const home = join(folder, `home-${++made}`);
    mkdirSync(home, { mode: 0o700 });
    const profile = { baseUrl: server.url, key: 'csk_a.b' };
    writeFileSync(
      join(home, 'config.json'),
      JSON.stringify({ currentProfile: 'main', profiles: { main: profile } }),
      { mode: 0o600 },
    );
    const state = join(home, 'state');
    cpSync(unfinished, state, { recursive: true });
    const connection = {
      CS_BASE_URL: server.url,
      CS_API_KEY: 'csk_a.b',
      CS_CONFIG_DIR: home,
      CS_STATE_DIR: state,
      CS_RETRIES: '0',
      SHELL: '/bin/bash',
    };
    return { cwd: folder, home, stdin: 'csk_a.b\n', ...more, env: { ...connection, ...env } };
  }

  await run(['sync', 'cars', '--to', 'mirror.db'], options());

  const prepare = (known: KnownCommand, more?: CliOptions): CliOptions => {
    server.scene = scenes[known.name] ?? {};
    const prepared = options(more);
    if (known.name === 'undo')
      writeDone(prepared.env?.CS_STATE_DIR as string, server.url, 'csk_a.b');
    if (known.name === 'pending resume')
      writeUnfinished(
        prepared.env?.CS_STATE_DIR as string,
        { server: server.url, key: 'csk_a.b' },
        { car: anyId, type: 'drop_off', spot: anyId },
      );
    return prepared;
  };
  const runLine: Lines['run'] = async (known, { flags = [], ...more } = {}) => {
    const before = server.requests.length;
    const result = await run([...known.line, ...flags], prepare(known, more));
    return Object.assign(result, { requests: server.requests.slice(before) });
  };

  async function findAll(): Promise<Line[]> {
    const all: Line[] = [];
    for (const known of runnable(await everyCommand()).filter(
      ({ words }) => !ofTheService.has(words[0] as string),
    )) {
      const { line, lacked } = await findLine(known, prepare(known));
      // Run again, to record the requests of this line alone.
      const { code, requests } = await runLine({ ...known, line, lacked, code: 0, methods: [] });
      all.push({ ...known, line, lacked, code, methods: requests.map(({ method }) => method) });
    }
    return all;
  }
  found ??= findAll();
  const all = await found;
  const asking = all.filter(({ methods }) => methods.length > 0);
  return {
    all,
    asking,
    writing: asking.filter(({ methods }) => methods.some((method) => method !== 'GET')),
    server,
    run: runLine,
    prepare,
    options,
    async close() {
      await server.close();
      await removeFolder(folder);
    },
  };
}
