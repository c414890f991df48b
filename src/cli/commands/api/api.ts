/** `cs api`: sends any request through the same client as every other command. */

import { resolve } from 'node:path';
import type { Client } from '../../../client/client.ts';
import { pageOf } from '../../../client/lists.ts';
import { readPages } from '../../../client/pages.ts';
import type { TransportRequest } from '../../../client/transport.ts';
import { contract } from '../../../contract/contract.ts';
import { type Method, walk } from '../../../contract/operations.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import {
  Argument,
  type Command,
  type CommandBuilder,
  type Input,
  Option,
  requiredAfterOptional,
  suggestValues,
} from '../../framework/command.ts';
import { addAllFlag, addCreateFlags, collect } from '../../framework/flags.ts';
import { readJsonInput } from '../../input/input.ts';
import { saveFile } from '../../output/save-file.ts';
import type { Row } from '../../output/view.ts';
import { confirm } from '../../prompts/confirm.ts';
import { write } from '../../terminal/io.ts';
import { nearest, shortPath } from '../../terminal/text.ts';
import { prepareAnswer, showAll, showAnswer, showWhole } from './answer.ts';
import { type GivenField, readFields, readsStdin } from './fields.ts';
import { mergeBody, readHeaders } from './request.ts';
import { readTarget, type Target } from './target.ts';

const methods: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE'];
const pathsOf = (wanted: Method): string[] => [
  ...new Set([...walk(contract)].filter(({ method }) => method === wanted).map(({ path }) => path)),
];
const pathsByMethod = Object.fromEntries(methods.map((method) => [method, pathsOf(method)]));

export const api: CommandBuilder = (command) => {
  command
    .description(
      [
        'Send any API request by method and path, with the same key and retries as other commands.',
        'The path is relative to /api/v1. Braces take the name of a record: "/cars/{WN AB 123}".',
        'Fields go into the body, or into the query of GET and DELETE. The output is the content of `data`; --include prints the whole answer.',
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
          pathsByMethod,
        ),
      ),
    )
    .addOption(
      suggestValues(
        new Option('-X, --method <method>', 'the method, instead of the argument'),
        methods,
      ),
    );
  addAllFlag(addFieldFlags(command), 'all pages of a list')
    .option('--input <file|-|json>', 'the body as JSON from a file or stdin; fields override it')
    .option('-H, --header <name: value>', 'a header to send', collect)
    .option('-i, --include', 'print status, headers and the whole body')
    .option('--output-file <file>', 'save the answer to a file')
    .option('--overwrite', 'replace an existing file');
  addCreateFlags(command);
  command.markAsWrite((words, options) => {
    const method = methodIn(options.method ?? words[0]);
    return method !== undefined && method !== 'GET';
  });
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

/** Both flags record a common order: it matters for entries of a list. */
function addFieldFlags(command: Command): Command {
  let given = 0;
  const taking =
    (typed: boolean) =>
    (text: string, before: (GivenField & { at: number })[] = []) => [
      ...before,
      { text, typed, at: given++ },
    ];
  return command
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
}

async function run(context: Context, input: Input): Promise<void> {
  const { method, text } = methodAndPath(input.args, input.options.method);
  const given = applicableOptions(input, method);
  checkConflicts(method, given);
  const headers = readHeaders(given.header ?? []);
  const target = await readTarget(context, method, text);
  const options =
    target.operation?.answer === 'list' ? given : withoutVariable(input.command, given, 'all');
  if (options.all && target.operation && target.operation.answer !== 'list')
    throw notAList(target.path);
  const request = await requestFor(context, { method, target, headers, options });
  const saved =
    options.outputFile === undefined ? undefined : resolve(context.io.cwd, options.outputFile);
  const bytes = saved !== undefined || target.operation?.answer === 'bytes';
  if (bytes) checkByteOptions(context, options, saved);

  const search = searchOf(request);
  // For a dry run too: it must not succeed if the request would be refused.
  await context.checkWrites([request]);
  if (options.dryRun)
    return context.output.request({
      method,
      path: `/api/v1${target.path}${search}`,
      body: request.body,
    });
  if (method !== 'GET') await prepareAnswer(context, target.operation, options.include === true);
  if (method === 'DELETE') await confirm(context, `DELETE /api/v1${target.path}${search}?`);
  const client = await context.client();
  if (bytes) return streamBytes(context, client, request, { saved, overwrite: options.overwrite });
  if (options.all)
    return showAll(
      context,
      readAllRecords(client, { ...request, operation: target.operation }),
      target.operation,
    );
  const answer = await client.transport.request(request);
  return options.include
    ? showWhole(context, answer)
    : showAnswer(context, answer, target.operation);
}

const methodIn = (word: unknown): Method | undefined =>
  methods.find((known) => known === String(word).toUpperCase());

const isPath = (word: string): boolean => word.includes('/');

/** Ignores values from environment variables that don't apply to this request. */
function applicableOptions({ command, options }: Input, method: Method): Input['options'] {
  let applicable = options;
  if (method !== 'GET' || options.include || options.outputFile !== undefined)
    applicable = withoutVariable(command, applicable, 'all');
  if (method !== 'POST') applicable = withoutVariable(command, applicable, 'idempotencyKey');
  if (method === 'GET') applicable = withoutVariable(command, applicable, 'dryRun');
  return applicable;
}

const withoutVariable = (
  command: Command,
  options: Input['options'],
  attribute: string,
): Input['options'] =>
  command.getOptionValueSource(attribute) === 'env'
    ? { ...options, [attribute]: undefined }
    : options;

function methodAndPath(
  [first, second]: (string | undefined)[],
  flag: string | undefined,
): { method: Method; text: string } {
  const word = first ?? '';
  const method = methodIn(word);
  if (flag !== undefined) {
    if (second !== undefined || (method && !isPath(word)))
      throw usage(`The method is given twice: --method ${flag} and ${word}.`, 'give it only once');
    const asked = methodIn(flag);
    if (!asked) throw unknownMethod(flag, '--method');
    if (first === undefined) throw missingPath(`-X ${asked}`);
    return { method: asked, text: word };
  }
  if (first === undefined)
    throw usage(
      'Missing required argument "path".',
      'write it like `cs api /cars`; see `cs api --help`',
    );
  if (second !== undefined) {
    if (isPath(word))
      throw usage(
        `Unexpected argument "${second}" after the path ${word}.`,
        'write fields of the JSON as --json=id,name',
      );
    if (method) return { method, text: second };
    throw unknownMethod(word);
  }
  if (method) throw missingPath(method);
  return { method: 'GET', text: word };
}

const missingPath = (method: string) =>
  usage('Missing required argument "path".', `write it like \`cs api ${method} /cars\``);

function unknownMethod(word: string, flag?: string) {
  const [close] = nearest(word.toUpperCase(), methods);
  const hint = close ? `did you mean ${close}?` : `choose one of ${methods.join(', ')}`;
  return usage(`${flag === undefined ? '' : `${flag}: `}"${word}" isn't a supported method.`, hint);
}

function checkConflicts(
  method: Method,
  { input, field = [], all, include, outputFile, overwrite, idempotencyKey }: Input['options'],
): void {
  const refuse = (flag: string, why: string) =>
    usage(`${flag} can't be used with ${why}.`, 'leave one of them out');
  const reads = method === 'GET' || method === 'DELETE';
  if (reads && typeof input === 'string')
    throw usage(
      `--input can't be used with ${method}, which has no body.`,
      'set its query with fields (-f, -F)',
    );
  if (input === '-' && field.some(readsStdin))
    throw refuse('--input -', 'a field that reads stdin');
  if (field.filter(readsStdin).length > 1) throw refuse('A field that reads stdin', 'another one');
  if (method !== 'GET' && all) throw refuse('--all', method);
  if (method !== 'POST' && idempotencyKey !== undefined) throw refuse('--idempotency-key', method);
  if (all && include) throw refuse('--all', '--include');
  if (outputFile !== undefined && (all || include))
    throw refuse('--output-file', all ? '--all' : '--include');
  if (overwrite && outputFile === undefined)
    throw usage('--overwrite needs --output-file.', 'add --output-file, or leave --overwrite out');
}

interface Given {
  readonly method: Method;
  readonly target: Target;
  readonly headers: Readonly<Record<string, string>>;
  readonly options: Input['options'];
}

async function requestFor(
  context: Context,
  { method, target, headers, options }: Given,
): Promise<TransportRequest> {
  const given = [...(options.rawField ?? []), ...(options.field ?? [])].sort((a, b) => a.at - b.at);
  const fields = await readFields(context, given);
  const request = {
    method,
    path: target.path,
    search: target.search,
    headers,
    idempotencyKey: options.idempotencyKey,
  };
  if (method === 'GET' || method === 'DELETE') return { ...request, query: toQuery(fields) };
  const input =
    typeof options.input === 'string'
      ? (await readJsonInput(context, options.input)).value
      : undefined;
  return { ...request, body: mergeBody(input, fields) };
}

function toQuery(fields: Readonly<Record<string, unknown>>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const values = [value].flat();
      if (values.some((one) => one === null || typeof one === 'object'))
        throw usage(
          `The field ${name} can't be part of a query.`,
          'use text, numbers, or lists of them',
        );
      return [name, Array.isArray(value) ? values.map(String) : String(value)];
    }),
  );
}

/** The query as it will be sent. */
function searchOf({ query = {}, search = '' }: TransportRequest): string {
  const given = Object.entries(query);
  if (given.length === 0) return search && `?${search}`;
  const all = new URLSearchParams(search);
  for (const [name, value] of given) all.set(name, String(value));
  return `?${all}`;
}

async function* readAllRecords(client: Client, request: TransportRequest): AsyncGenerator<Row> {
  const pages = readPages<Row>({
    async read(page) {
      const query = { ...request.query, ...page };
      return pageOf(await client.transport.request({ ...request, query, expect: 'list' }), page);
    },
  });
  for await (const rows of pages) yield* rows;
}

const notAList = (path: string) =>
  usage(`${path} isn't a list, so --all can't be used.`, 'leave --all out');

function checkByteOptions(
  { io, settings }: Context,
  { all, include }: Input['options'],
  saved: string | undefined,
): void {
  const [flag] = [
    all && '--all',
    include && '--include',
    settings.jq?.origin === '--jq' && '--jq',
  ].filter(Boolean);
  if (flag) throw usage(`${flag} can't be used with a binary answer.`, 'leave it out');
  if (saved === undefined && io.stdoutIsTerminal)
    throw usage(
      'The answer is binary, and stdout is a terminal.',
      'save it with --output-file, or redirect it with | or >',
    );
}

async function streamBytes(
  context: Context,
  client: Client,
  request: TransportRequest,
  { saved, overwrite }: { saved: string | undefined; overwrite: boolean | undefined },
): Promise<void> {
  const { body, contentType } = await client.transport.stream(request);
  if (saved === undefined) {
    for await (const chunk of body) await write(context.io.stdout, chunk);
    return;
  }
  const size = await saveFile(saved, body, { overwrite });
  const file = shortPath(context.io.cwd, saved);
  await context.output.value(
    { file, size, contentType },
    `saved ${file} (${size} bytes, ${contentType})`,
  );
}
