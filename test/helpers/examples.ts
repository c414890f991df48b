/** The examples of the help, and the team, the folder and the configuration that each is run with. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeXlsx } from 'hucre/xlsx';
import { builtInShell } from './built.ts';
import { cs } from './cli.ts';
import { everyCommand, ofTheService } from './every-command.ts';
import {
  type ExampleTeam,
  examplePhotos,
  examplePicture,
  exampleTeams,
  sceneOf,
} from './example-facility.ts';
import { png } from './facility.ts';
import { makeFolder, removeFolder } from './folder.ts';
import { ownEnvironment } from './own-home.ts';
import { startTestService } from './service.ts';
import { writeUnfinished } from './unfinished.ts';

export interface Example {
  readonly command: string;
  readonly line: string;
}

/** The examples of every command's help. */
export async function everyExample(): Promise<Example[]> {
  const commands = await everyCommand();
  return (
    commands
      // The others start a service or work on its data; they have tests of their own.
      .filter(({ words }) => !ofTheService.has(words[0] as string))
      .flatMap(({ name, info }) =>
        info.examples
          .filter((line) => !line.startsWith('#'))
          .map((line) => ({ command: name, line })),
      )
  );
}

/** Whether only a shell can read the line: it has a pipe, a redirection or a variable. */
export const needsShell = ({ line }: Example): boolean =>
  /[|<>;&$*]|^(?!cs )/.test(line.replace(/'[^']*'|"[^"$]*"/g, ''));

/** Everything but what only reads, or changes nothing outside its folder, has a team of its own. */
function mayWrite(line: string): boolean {
  const reads =
    /^cs (\S+ ){1,2}(list|get)\b[^|]*$|--dry-run$|^cs (schema|explain|completion|today|board|usage|mcp)\b/;
  const changesItsFolder =
    /^cs (sync|export|auth|profiles|config|doctor|watch|version|\S+( \S+)? download)\b[^|]*$/;
  return !reads.test(line) && !changesItsFolder.test(line);
}

/** Commands whose examples meet records in a state of their own, or leave them in one that the next example does not expect. */
const needsState =
  /^undo|^campaigns (sends|pause|resume|cancel)|^appointments (approve|decline)|^(parking assignments|asset-folders) update/;
/** What makes a record, or changes a field of one, is in the way of no other example of the same command. */
const shares = /^cs \S+( \S+)? (create|add|upload|update) /;

export interface Stage {
  /** The line with the ids that words in capitals stand for, and the address of the service in place of that of the examples. */
  readonly line: string;
  readonly folder: string;
  readonly env: Record<string, string>;
}

export interface Stages {
  /** The time of the records and, in this process, of the commands: one, so that no midnight comes between them. */
  readonly now: Date;
  /** The address of the service. */
  readonly url: string;
  prepare(example: Example): Promise<Stage>;
  close(): Promise<void>;
}

export async function startStages(): Promise<Stages> {
  const now = new Date();
  const service = await startTestService();
  const teamFor = exampleTeams(service, now);
  const root = await makeFolder();
  const tools = join(root, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'cs'), `#!/bin/sh\nexec ${builtInShell} "$@"\n`, {
    mode: 0o755,
  });
  const rows = [
    ['year', 'make', 'model'],
    [1973, 'Porsche', '911'],
  ];
  const xlsx = await writeXlsx({ sheets: [{ name: 'Cars', rows }] });
  const shared = new Map<string, Promise<ExampleTeam>>();
  let made = 0;

  async function prepare({ command, line }: Example): Promise<Stage> {
    const own = needsState.test(command);
    const shareable = own
      ? undefined
      : !mayWrite(line)
        ? sceneOf(command)
        : shares.test(line)
          ? command
          : undefined;
    const known = shareable === undefined ? undefined : shared.get(shareable);
    const found = known ?? teamFor(command);
    if (shareable !== undefined) shared.set(shareable, found);
    const team = await found;

    const folder = join(root, `example-${++made}`);
    const configuration = join(folder, 'configuration');
    mkdirSync(join(folder, 'shots'), { recursive: true });
    mkdirSync(join(folder, '.config/fish/completions'), { recursive: true });
    mkdirSync(configuration);
    for (const [name, bytes] of Object.entries(examplePhotos))
      writeFileSync(join(folder, name), bytes);
    writeFileSync(join(folder, 'shots/1.jpg'), png(11));
    mkdirSync(join(folder, 'pictures'));
    for (const name of ['hall.png', 'pictures/hall.png'])
      writeFileSync(join(folder, name), examplePicture);
    writeFileSync(join(folder, 'car.json'), '{"year": 1973, "make": "Porsche", "model": "911"}');
    writeFileSync(join(folder, 'facility.yaml'), 'locations:\n  - name: Harbour\n');
    writeFileSync(
      join(folder, 'care.yaml'),
      'care:\n  - {type: inspection, recurrenceFrequency: monthly, startAt: 2090-06-01 09:00, endAt: 2090-06-01 10:00}\n',
    );
    writeFileSync(join(folder, 'customers.csv'), 'firstName,lastName\nBo,Ek\n');
    writeFileSync(join(folder, 'contacts.csv'), 'firstName,Surname,E-Mail\nBo,Ek,bo@example.com\n');
    writeFileSync(
      join(folder, 'events.ndjson'),
      '{"carId": "Greta", "activityType": "inspection"}\n',
    );
    writeFileSync(join(folder, 'cars.xlsx'), xlsx);
    const [, mirror] = /^cs sync (?:status|verify) (\S+)/.exec(line) ?? [];
    if (mirror)
      await cs(['sync', 'cars', '--to', mirror], {
        cwd: folder,
        env: { CS_BASE_URL: service.url, CS_API_KEY: team.key },
      });
    if (line.startsWith('cs cars photos verify'))
      await cs(['cars', 'photos', 'add', 'Greta', 'shots'], {
        cwd: folder,
        env: { CS_BASE_URL: service.url, CS_API_KEY: team.key },
      });
    writeFileSync(join(folder, 'key.txt'), `${team.key}\n`);
    writeFileSync(join(folder, 'office.pem'), '');
    const profile = { baseUrl: service.url, key: team.key };
    const settings = {
      currentProfile: 'main',
      profiles: { main: profile, work: profile, reports: profile },
    };
    writeFileSync(join(configuration, 'config.json'), JSON.stringify(settings));
    const pass = join(folder, 'tools');
    cpSync(tools, pass, { recursive: true });
    writeFileSync(join(pass, 'pass'), `#!/bin/sh\necho '${team.key}'\n`, { mode: 0o755 });
    const state = join(folder, 'state');
    if (/^pending\b/.test(command)) writeUnfinished(state, { server: service.url, key: team.key });
    if (command === 'undo')
      await cs(['move', 'Emma', 'A3'], {
        cwd: folder,
        env: { CS_BASE_URL: service.url, CS_API_KEY: team.key, CS_STATE_DIR: state },
      });
    const env = {
      ...ownEnvironment(),
      CS_STATE_DIR: state,
      CS_CONFIG_DIR: configuration,
      CS_CACHE_DIR: join(folder, 'cache'),
      CS_PHOTOS_DROP_OFF: 'front,rear',
      HOME: folder,
      PATH: `${pass}:${process.env.PATH}`,
    };
    const filled = Object.entries(team.ids)
      .reduce(
        (text, [word, id]) =>
          text.replace(new RegExp(`(?<=^cs (?!api).* )${word}(?= |$)`, 'g'), id),
        line,
      )
      .replaceAll('https://cars.example.com', service.url);
    return { line: filled, folder, env };
  }

  return {
    now,
    url: service.url,
    prepare,
    async close() {
      await service.close();
      await removeFolder(root);
    },
  };
}
