/** The rules that keep the project in the shape that docs/layout.md describes. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { analyse } from 'scslre';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { liveTree } from '../src/cli/commands/catalogue.ts';
import { scriptNames, scripts, shells } from '../src/cli/commands/completion/scripts.ts';
import { otherServersPage } from '../src/cli/commands/doctor/command-needs.ts';
import { manPages } from '../src/cli/framework/reference/man.ts';
import { markdownPages } from '../src/cli/framework/reference/markdown.ts';
import { contract } from '../src/contract/contract.ts';
import { dashboardContract } from '../src/contract/dashboard/dashboard.ts';
import type { Resource } from '../src/contract/resource.ts';

const root = resolve(import.meta.dirname, '..');
const sources = filesBelow(join(root, 'src'));

interface Source {
  path: string;
  text: string;
  /** Its imports: own files as paths below `src/`, packages by name. */
  imports: string[];
}

function filesBelow(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const path = relative(root, join(folder, name));
      const text = readFileSync(join(root, path), 'utf8');
      const specifiers = Array.from(
        text.matchAll(/(?<!['`])\b(?:from|import)(?:\s+|\s*\(\s*)'([^']+)'/g),
        (match) => match[1] as string,
      );
      return {
        path,
        text,
        imports: specifiers.map((specifier) =>
          specifier.startsWith('.')
            ? relative(root, resolve(root, dirname(path), specifier))
            : specifier,
        ),
      };
    });
}

/** The layers of src/cli, from the top: each imports only from those after it. */
const layers = [
  'main.ts',
  'program.ts',
  'commands',
  'resources',
  'framework',
  'phone',
  'prompts',
  'context.ts',
  'state',
  'config',
  'output',
  'input',
  'terminal',
  'errors',
];
const layerOf = (path: string): number => layers.indexOf(path.split('/')[2] as string);

/** The files of ours that the files of a folder load, at once or later. Type imports don't count. */
function loaded(folder: string): string[] {
  const statements =
    /^(?:import|export) (?!type\b)(?:[^;]*?from )?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;
  return sources
    .filter(({ path }) => path.startsWith(folder))
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(statements), ([, eager, lazy]) =>
        relative(root, resolve(root, dirname(path), (eager ?? lazy) as string)),
      ),
    );
}

const importing = (from: string, to: RegExp) =>
  sources
    .filter(({ path }) => path.startsWith(from))
    .flatMap(({ path, imports }) =>
      imports.filter((target) => to.test(target)).map((target) => `${path} → ${target}`),
    );

describe('allowed imports', () => {
  test('the source files were found', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(200);
  });
  test('the contract imports zod and nothing else', () => {
    expect(importing('src/contract/', /^(?!src\/contract\/|zod$)/)).toEqual([]);
  });
  test('the interface description imports the contract and zod', () => {
    expect(importing('src/openapi/', /^(?!src\/(contract|openapi)\/|zod$)/)).toEqual([]);
  });
  test('the client knows the contract, not the service', () => {
    expect(importing('src/client/', /^src\/(service|cli|openapi)\//)).toEqual([]);
  });
  test('the facility imports the contract and the client, and loads no Node', () => {
    expect(importing('src/facility/', /^(?!src\/(facility|contract|client)\/)/)).toEqual([]);
    const values = loaded('src/facility/').filter((target) => !target.startsWith('src/facility/'));
    expect([...new Set(values)].sort()).toEqual(['src/client/ids.ts']);
  });
  test('the service knows neither the client nor the command', () => {
    expect(importing('src/service/', /^src\/(client|cli)\//)).toEqual([]);
  });
  test('the dashboard loads only what a browser takes: types of the contract, its plain lists and sizes, code of the client and the facility', () => {
    const others =
      /^(?!src\/(dashboard|contract|client|facility)\/|preact(\/hooks)?$|@preact\/signals$|uplot$|uqr$)/;
    expect(importing('src/dashboard/', others)).toEqual([]);
    const values = loaded('src/dashboard/').filter((target) => target.startsWith('src/contract/'));
    expect([...new Set(values)].sort()).toEqual([
      'src/contract/dashboard/audit-actions.ts',
      'src/contract/dashboard/pages.ts',
      'src/contract/limits.ts',
      'src/contract/scopes.ts',
    ]);
    expect(
      sources.filter(
        ({ path, imports }) =>
          !path.startsWith('src/dashboard/') &&
          imports.some((one) => one.startsWith('src/dashboard/')),
      ),
    ).toEqual([]);
  });
  test('only serve, admin and demo load the service, and only when they run', () => {
    const eager = sources
      .filter(({ path }) => path.startsWith('src/cli/'))
      .filter(({ text }) => /^import (?!type\b)[^;]*from '(\.\.\/)+service\//m.test(text))
      .map(({ path }) => path);
    expect(eager).toEqual([]);
    const loading = new Set(
      importing('src/cli/', /^src\/service\//).map((line) => line.split(' ')[0]),
    );
    expect([...loading].sort()).toEqual([
      'src/cli/commands/admin/admin-task.ts',
      'src/cli/commands/admin/admin.ts',
      'src/cli/commands/admin/backup.ts',
      'src/cli/commands/admin/files.ts',
      'src/cli/commands/admin/keys.ts',
      'src/cli/commands/admin/outbox.ts',
      'src/cli/commands/admin/senders.ts',
      'src/cli/commands/admin/users.ts',
      'src/cli/commands/data/dashboard-address.ts',
      'src/cli/commands/data/data-folder.ts',
      'src/cli/commands/data/files-place.ts',
      'src/cli/commands/demo/demo.ts',
      'src/cli/commands/demo/setup.ts',
      'src/cli/commands/files/lock.ts',
      'src/cli/commands/serve/serve.ts',
    ]);
  });
  test('src/cli is built in layers: every import leads down, types included', () => {
    const ours = sources.filter(({ path }) => path.startsWith('src/cli/'));
    expect(ours.filter(({ path }) => layerOf(path) < 0).map(({ path }) => path)).toEqual([]);
    const upward = ours.flatMap(({ path, imports }) =>
      imports
        .filter((target) => target.startsWith('src/cli/') && layerOf(target) < layerOf(path))
        .map((target) => `${path} → ${target}`),
    );
    expect(upward).toEqual([]);
  });
  test('schemas of results are loaded by cs schema alone: other files use their types', () => {
    const loading = sources
      .filter(
        ({ path, text }) =>
          !path.endsWith('/shape.ts') &&
          /^import (?!type\b)[^;]*from '[^']*\/shape\.ts'/m.test(text),
      )
      .map(({ path }) => path);
    expect(loading).toEqual([]);
  });
  test('a command is loaded by the catalogue alone, which program.ts passes down', () => {
    const outside = importing('src/cli/', /^src\/cli\/commands\//).filter(
      (line) => !line.startsWith('src/cli/commands/'),
    );
    expect(outside).toEqual([
      'src/cli/program.ts → src/cli/commands/catalogue.ts',
      'src/cli/program.ts → src/cli/commands/doctor/command-needs.ts',
      'src/cli/program.ts → src/cli/commands/catalogue.ts',
    ]);
    expect(importing('src/cli/commands/', /commands\/catalogue\.ts$/)).toEqual([]);
  });
  test('a list starts without what is slow to load and what it does not use', () => {
    const found = new Set<string>();
    const follow = (path: string) => {
      if (found.has(path)) return;
      found.add(path);
      const { text = '' } = sources.find((source) => source.path === path) ?? {};
      for (const [, target = ''] of text.matchAll(
        /^(?:import|export) (?!type\b)(?:[^;]*?from )?'([^']+)'/gm,
      ))
        follow(
          target.startsWith('.') ? relative(root, resolve(root, dirname(path), target)) : target,
        );
    };
    follow('src/cli/framework/execute.ts');
    follow('src/cli/commands/cars/cars.ts');
    expect(found.size).toBeGreaterThan(100);
    const slow =
      /^(node:(net|http|tls|child_process|worker_threads)|string-width|undici|ora|conf|@inquirer\/.*)$/;
    expect([...found].filter((target) => slow.test(target))).toEqual([]);
  });
  test('no circular imports', () => {
    expect(circles()).toEqual([]);
  });
});

describe('rules of the code', () => {
  test('commands touch the process in one place', () => {
    const outside = sources.filter(
      ({ path, text }) =>
        path.startsWith('src/cli/') &&
        path !== 'src/cli/main.ts' &&
        /\bprocess\.(?!pid)/.test(text) &&
        /(?<!['"`\w.])process\./.test(text),
    );
    expect(outside.map(({ path }) => path)).toEqual([]);
  });
  test('generic code names no resource', () => {
    const names = Object.values(contract).flatMap(({ name, singular, plural }) => [
      name,
      singular,
      plural,
    ]);
    // Resource names that are also ordinary words in code.
    const ordinary = /^(me|keys?|messages?)$/;
    const word = new RegExp(
      `\\b(${names.filter((name) => !ordinary.test(name)).join('|')})\\b`,
      'i',
    );
    for (const path of [
      'src/service/crud.ts',
      'src/service/lists.ts',
      'src/service/requests.ts',
      'src/contract/operations.ts',
      'src/contract/schemas.ts',
      'src/cli/program.ts',
      'src/cli/context.ts',
      'src/cli/framework/create-context.ts',
      'src/cli/framework/execute.ts',
      'src/cli/framework/tree/live-tree.ts',
      'src/cli/resources/list.ts',
      'src/cli/resources/create.ts',
      'src/cli/resources/change.ts',
      'src/cli/resources/batch.ts',
    ]) {
      // Only examples and comments may name them.
      const code = readFileSync(join(root, path), 'utf8')
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
        .replace(/\b(examples|description)\((\[[^\]]*\]|[^()]*)\)/g, '');
      const found = code.split('\n').filter((line) => word.test(line));
      expect(found, path).toEqual([]);
    }
  });
  test('no regular expression of service, client and pages is slow for 16 kB of a letter', () => {
    const { literals, made } = expressions();
    expect(literals.length).toBeGreaterThan(100);
    expect(literals.flatMap(({ path, ...literal }) => slowLetters(literal, path))).toEqual([]);
    // From paths of the contract, and from a set of letters.
    expect(made).toEqual(['src/service/app.ts', 'src/service/database/search-text.ts']);
    const inContract = Object.values<Resource>({ ...contract, ...dashboardContract }).flatMap(
      ({ name, fields, filters = {} }) =>
        [...Object.values(fields), ...Object.values(filters)]
          .flatMap((one) => ('schema' in one ? patternsIn(one.schema) : []))
          .map((source) => ({ name, source })),
    );
    expect(inContract.length).toBeGreaterThan(50);
    expect(
      inContract.flatMap(({ name, source }) => slowLetters({ source, flags: 'u' }, name)),
    ).toEqual([]);
    // An analysis that finds nothing would prove nothing.
    for (const source of ['^a(b|.*[.][^/]*$)', '=+$', '^(a+)+$'])
      expect(slowLetters({ source, flags: '' }, '')).not.toEqual([]);
  });
  test('no barrel files, no miscellaneous folders', () => {
    expect(
      sources
        .filter(({ path }) => /(^|\/)(index|utils?|helpers?)(\.ts|\/)/.test(path))
        .map(({ path }) => path),
    ).toEqual([]);
  });
});

interface Literal {
  readonly source: string;
  readonly flags: string;
}

/**
 * The regular expressions of all that answers or asks over the network, and the files that make some from text.
 */
function expressions(): { literals: (Literal & { path: string })[]; made: string[] } {
  const literals: (Literal & { path: string })[] = [];
  const made: string[] = [];
  for (const { path, text } of sources) {
    if (path.startsWith('src/cli/') || !/\/|RegExp/.test(text)) continue;
    JSON.stringify(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }), (_key, node) => {
      if (node?.regex) literals.push({ path, source: node.regex.pattern, flags: node.regex.flags });
      if (node?.callee?.name === 'RegExp') made.push(path);
      return typeof node === 'bigint' ? String(node) : node;
    });
  }
  return { literals, made };
}

/**
 * The letters of which many take quadratic time or more: while it backtracks, or since it starts again at each letter. Found in
 * the expression, so that no test measures time.
 */
const slowLetters = (literal: Literal, place: string): string[] =>
  analyse(literal).reports.map(
    ({ character }) => `${place}: /${literal.source}/ on many ${JSON.stringify(character.pick)}`,
  );

/** Those of a schema, also zod's own. */
function patternsIn(schema: z.ZodType): string[] {
  const found: string[] = [];
  const json = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' });
  JSON.stringify(json, (key, value) => {
    if (key === 'pattern') found.push(value);
    return value;
  });
  return found;
}

test('package.json lists every man page, since npm installs only listed pages (npm run generate)', async () => {
  const { man } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { man: string[] };
  const pages = Object.keys(await manPages(liveTree));
  expect(man).toEqual(pages.sort().map((name) => `./dist/man/${name}`));
});

test.each(shells)('the completion for %s on disk is current (npm run generate)', (shell) => {
  expect(readFileSync(join(root, 'completions', scriptNames[shell]), 'utf8')).toBe(scripts[shell]);
});

test('docs/reference is current, without other files (npm run generate)', async () => {
  const pages: Record<string, string> = {
    ...(await markdownPages(liveTree)),
    'other-servers.md': await otherServersPage(liveTree),
  };
  const folder = join(root, 'docs/reference');
  const kept = Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
  const stale = [...new Set([...Object.keys(pages), ...Object.keys(kept)])].filter(
    (name) => pages[name] !== kept[name],
  );
  expect(stale).toEqual([]);
});

test('the lock file has the packages of every platform, as `npm ci` requires', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(
        ([name, range]) =>
          /^\d/.test(range) &&
          !installations(path, name).some((place) => packages[place]?.version === range),
      )
      .map(([name, range]) => `${name}@${range}`),
  );
  expect(missing).toEqual([]);
});

interface Locked {
  version?: string;
  optionalDependencies?: Record<string, string>;
}

/** The possible locations of a dependency of the package at `path`, nearest first. */
function installations(path: string, name: string): string[] {
  const above = path
    .split('/node_modules/')
    .map((_, index, parts) => parts.slice(0, parts.length - index).join('/node_modules/'));
  return [
    ...above.filter(Boolean).map((folder) => `${folder}/node_modules/${name}`),
    `node_modules/${name}`,
  ];
}

/** Circular imports among files, type imports and lazy ones included. */
function circles(): string[] {
  const graph = new Map(
    sources.map(
      ({ path, imports }) => [path, imports.filter((target) => target.startsWith('src/'))] as const,
    ),
  );
  const found: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (path: string, trail: string[]) => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open')
      return void found.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    state.set(path, 'open');
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
}
