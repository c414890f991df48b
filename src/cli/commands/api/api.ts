/** `cs api`: sends any request through the same client as every other command. */
import { pageOf } from '../../../client/lists.ts';
import { readPages } from '../../../client/pages.ts';
import type { TransportRequest } from '../../../client/transport.ts';
import { contract, type ResourceName } from '../../../contract/contract.ts';
import { type Method, matchesPath, type Operation, walk } from '../../../contract/operations.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import {
  Argument,
  type CommandBuilder,
  type Input,
  requiredAfterOptional,
  suggestValues,
} from '../../framework/command.ts';
import { addAllFlag, addCreateFlags } from '../../framework/flags.ts';
import { readJsonInput } from '../../input/input.ts';
import type { Row } from '../../output/view.ts';
import { confirm } from '../../prompts/confirm.ts';
import { idsOf } from '../../resources/operation.ts';
import { write } from '../../terminal/io.ts';
import { flagOf, nearest } from '../../terminal/text.ts';
import { prepareAnswer, showAnswer, viewFor } from './answer.ts';
import { type GivenField, readFields, toQuery } from './fields.ts';

const methods: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE'];
const pathsOf = (wanted: Method): string[] => [
  ...new Set([...walk(contract)].filter(({ method }) => method === wanted).map(({ path }) => path)),
];

export const api: CommandBuilder = (command) => {
  command
    .description(
      [
        'Send any API request by method and path, with the same key and retries as other commands.',
        'The path is relative to /api/v1. Braces take the name of a record: "/cars/{WN AB 123}".',
        'Fields go into the body, or into the query of GET and DELETE. The output is the content of `data`; -v shows the status of the answer on stderr.',
        'The answer is what the server sends: nothing checks whether it applied the filters of a list, as `cs cars list` and the other lists do.',
      ].join('\n'),
    )
    .addArgument(
      suggestValues(new Argument('[method]', 'GET, POST, PATCH or DELETE (default: GET)'), [
        ...methods,
        ...pathsOf('GET'),
      ]),
    )
    .addArgument(
      requiredAfterOptional(
        suggestValues(
          new Argument('[path]', 'such as /cars or "/cars?status=stored"'),
          [],
          Object.fromEntries(methods.map((method) => [method, pathsOf(method)])),
        ),
      ),
    );
  // Both flags record a common order: it matters for entries of a list.
  let count = 0;
  const taking =
    (typed: boolean) =>
    (text: string, before: (GivenField & { at: number })[] = []) => [
      ...before,
      { text, typed, at: count++ },
    ];
  command
    .option(
      '-f, --raw-field <key=value>',
      'a field as text; a[b]=x for objects, a[]=x for lists',
      taking(false),
    )
    .option(
      '-F, --field <key=value>',
      'a field as true, false, null, a number, or the content of @file or @-',
      taking(true),
    );
  addAllFlag(command, 'all pages of a list').option(
    '--input <file|-|json>',
    'the body as JSON from a file or stdin; fields override it',
  );
  addCreateFlags(command);
  command.markAsWrite(([word]) => !['GET', undefined].includes(methodIn(word)));
  command.examples([
    'cs api /me',
    'cs api "/cars/{WN AB 123}/events" --all',
    'cs api POST /cars -F year=1973 -f make=Porsche -f model=911',
    "cs api PATCH '/customers/{Ann Lee}' -f 'tags[]=vip' -f 'address[city]=Kiel'",
    'cs api GET /cars -f status=stored -o id',
    'cs api "/cars/{Greta}/photos/{front.jpg}/content" > front.jpg',
  ]);
  command.handle(run);
};

async function run(context: Context, { args, command, options }: Input): Promise<void> {
  const { method, text } = methodAndPath(args);
  const { path, search: typed, operation } = await readTarget(context, method, text);
  const isBytes = operation?.answer === 'bytes';
  const isList = method === 'GET' && (!operation || operation.answer === 'list');
  const applies: Readonly<Record<string, boolean>> = {
    all: isList,
    idempotencyKey: method === 'POST',
    input: method === 'POST' || method === 'PATCH',
  };
  // A variable of the environment is for the requests that it fits.
  for (const [name, does] of Object.entries(applies))
    if (!does && command.getOptionValueSource(name) === 'cli')
      throw usage(`${flagOf(name)} can't be used with this request.`, 'leave it out');
  if (isBytes && context.settings.jq?.origin === '--jq')
    throw usage("--jq can't be used with a binary answer.", 'leave it out');
  const reads = method === 'GET' || method === 'DELETE';
  const given = [...(options.rawField ?? []), ...(options.field ?? [])].sort((a, b) => a.at - b.at);
  const fields = await readFields(context, given, reads ? undefined : options.input);
  const request: TransportRequest = {
    method,
    path,
    search: typed,
    ...(method === 'POST' && { idempotencyKey: options.idempotencyKey }),
    ...(reads
      ? { query: toQuery(fields) }
      : { body: await readBody(context, fields, options.input) }),
  };
  const search = searchOf(request);
  // For a dry run too: it must not succeed if the request would be refused.
  await context.checkWrites([request]);
  if (options.dryRun && (method !== 'GET' || command.getOptionValueSource('dryRun') === 'cli'))
    return context.output.request({ method, path: `/api/v1${path}${search}`, body: request.body });
  if (method !== 'GET') await prepareAnswer(context, operation);
  if (method === 'DELETE') await confirm(context, `DELETE /api/v1${path}${search}?`);
  if (isBytes) return streamBytes(context, request);
  if (options.all && applies.all)
    return context.output.list({
      view: await viewFor(operation),
      records: readAllRecords(context, request),
    });
  const answer = await (await context.client()).transport.request(request);
  return showAnswer(context, answer, operation);
}

const methodIn = (word: unknown): Method | undefined =>
  methods.find((known) => known === String(word).toUpperCase());

const isPath = (word: string): boolean => word.includes('/');

function methodAndPath([first = '', second]: (string | undefined)[]): {
  method: Method;
  text: string;
} {
  const method = methodIn(first);
  if (second === undefined && first !== '' && !method) return { method: 'GET', text: first };
  if (second === undefined)
    throw usage(
      'Missing required argument "path".',
      `write it like \`cs api ${method ? `${method} ` : ''}/cars\`; see \`cs api --help\``,
    );
  if (method) return { method, text: second };
  if (isPath(first))
    throw usage(
      `Unexpected argument "${second}" after the path ${first}.`,
      'write fields of the JSON as --json=id,name',
    );
  const [close] = nearest(first.toUpperCase(), methods);
  const hint = close ? `did you mean ${close}?` : `choose one of ${methods.join(', ')}`;
  throw usage(`"${first}" isn't a supported method.`, hint);
}

interface Target {
  /** Relative to `/api/v1`, such as `/cars`. */
  readonly path: string;
  /** As given. */
  readonly search: string;
  /** The operation with this path and method; undefined for one that only a newer server knows. */
  readonly operation: Operation | undefined;
}

/** Accepts `/cars`, `cars`, `/api/v1/cars?status=stored`, and `/cars/{WN AB 123}` with the name of a record. */
async function readTarget(context: Context, method: Method, text: string): Promise<Target> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text))
    throw usage(
      'An address of a server is no path.',
      'give only the path, such as /cars, and choose the server with --profile or --base-url',
    );
  if (/^\/*$/.test(text))
    throw usage('The path is empty.', 'write it like /cars; list the paths with `cs schema`');
  const names: string[] = [];
  // Replace names by numbers first: a name may contain a slash or a question mark.
  const plain = `/${text.replace(/^\/+/, '')}`
    .replace(/^\/api\/v1(?=\/)/, '')
    .replace(/\{([^{}]*)\}/g, (_, name: string) => `{${names.push(name) - 1}}`);
  const [path = '', ...rest] = plain.split('?');
  const search = rest
    .join('?')
    .replace(/\{(\d+)\}/g, (_, index) => `{${names[index]}}`)
    .replace(/[#\t\r\n]/g, encodeURIComponent);
  const found = [...walk(contract)].filter((operation) => matchesPath(operation.path, path));
  const operation = found.find((one) => one.method === method);
  if (!path.includes('{')) return { path, search, operation };

  const { path: template = '', resource } = operation ?? found[0] ?? {};
  const places = template.split('/').map((part) => part.startsWith('{'));
  const parts = path.split('/');
  if (
    !resource ||
    parts.some((part, at) => part.includes('{') && !(places[at] && /^\{\d+\}$/.test(part)))
  )
    throw usage(
      `In "${text}", braces aren't in the place of an id of the API.`,
      'write it like "/cars/{WN AB 123}/events"; list the paths with `cs schema`',
    );
  const texts = parts
    .filter((_, at) => places[at])
    .map((part) => (part.startsWith('{') ? names[Number(part.slice(1, -1))] : part));
  const ids = await idsOf(context, resource.name as ResourceName, texts as string[]);
  const filled = parts.map((part, at) =>
    places[at] ? encodeURIComponent(ids.shift() as string) : part,
  );
  return { path: filled.join('/'), search, operation };
}

/** Fields override the input. Undefined without both. */
async function readBody(
  context: Context,
  fields: Readonly<Record<string, unknown>>,
  given: unknown,
): Promise<unknown> {
  const input = typeof given === 'string' ? (await readJsonInput(context, given)).value : undefined;
  if (Object.keys(fields).length === 0) return input;
  if (input === undefined) return fields;
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw usage(
      "--input isn't an object, so fields can't be added to it.",
      'leave one of them out',
    );
  return { ...input, ...fields };
}

/** The query as it will be sent. */
function searchOf({ query = {}, search = '' }: TransportRequest): string {
  const given = Object.entries(query);
  if (given.length === 0) return search && `?${search}`;
  const all = new URLSearchParams(search);
  for (const [name, value] of given) all.set(name, String(value));
  return `?${all}`;
}

async function* readAllRecords(context: Context, request: TransportRequest): AsyncGenerator<Row> {
  const { transport } = await context.client();
  const pages = readPages<Row>(async (page) => {
    const query = { ...request.query, ...page };
    return pageOf(await transport.request({ ...request, query, expect: 'list' }), page);
  });
  for await (const rows of pages) yield* rows;
}

async function streamBytes({ io, client }: Context, request: TransportRequest): Promise<void> {
  if (io.stdoutIsTerminal)
    throw usage('The answer is binary, and stdout is a terminal.', 'redirect it with | or >');
  const { body } = await (await client()).transport.stream(request);
  for await (const chunk of body) await write(io.stdout, chunk);
}
