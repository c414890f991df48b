/** Any request, by method and path, through the same layer as every other command. */

import { resolve } from 'node:path';
import type { Client } from '../../../client/client.ts';
import { type Page, readAll } from '../../../client/pages.ts';
import type { TransportRequest } from '../../../client/requests.ts';
import { contract } from '../../../contract/contract.ts';
import { type Method, walk } from '../../../contract/operations.ts';
import { isFromVariable } from '../../config/flag-variables.ts';
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
import type { Context } from '../../framework/context.ts';
import { addAllFlag, addCreateFlags, collect } from '../../framework/flags.ts';
import { saveFile } from '../../output/save-file.ts';
import type { Row } from '../../output/view.ts';
import { confirm } from '../../prompts/confirm.ts';
import { write } from '../../terminal/io.ts';
import { nearest, shortPath } from '../../terminal/text.ts';
import { isList, prepareAnswer, showAll, showAnswer, showWhole } from './answer.ts';
import { type GivenField, readFields, readsStdin } from './fields.ts';
import { mergeBody, readBody, readHeaders } from './request.ts';
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
        'Send any request of the interface, by method and path, with the key and the retries of every other command.',
        'The path is below /api/v1. In braces it takes what people call a record: "/cars/{WN AB 123}".',
        'Fields are the body, or the query of GET and DELETE. Records come without their frame; --include shows all of an answer.',
      ].join('\n'),
    )
    .addArgument(suggestValues(new Argument('[method]', 'GET, POST, PATCH or DELETE; GET unless given'), [...methods, ...pathsOf('GET')]))
    .addArgument(requiredAfterOptional(suggestValues(new Argument('[path]', 'such as /cars or "/cars?status=stored"'), [], pathsByMethod)))
    .addOption(suggestValues(new Option('-X, --method <method>', 'the method, in place of the word before the path'), methods));
  command.endArgumentsAfter(isPath);
  addAllFlag(addFieldFlags(command), 'every page of a list')
    .option('--input <file|->', 'the body as JSON, from a file or stdin; fields win over it')
    .option('-H, --header <name: value>', 'a header to send', collect)
    .option('-i, --include', 'show status and headers, and the body with its frame')
    .option('--output-file <file>', 'save the bytes of the answer as a file')
    .option('--overwrite', 'replace that file when it is there');
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

/** Both keep what was typed in one order, since entries of a list have one. */
function addFieldFlags(command: Command): Command {
  let given = 0;
  const taking =
    (typed: boolean) =>
    (text: string, before: (GivenField & { at: number })[] = []) => [...before, { text, typed, at: given++ }];
  return command
    .option('-f, --raw-field <key=value>', 'a field as text; a[b]=x and a[]=x make objects and lists', taking(false))
    .option('-F, --field <key=value>', 'a field as true, false, null, a number, or the text of @file or @-', taking(true));
}

async function run(context: Context, input: Input): Promise<void> {
  const { method, text } = methodAndPath(input.args, input.options.method);
  const given = fittingOptions(input, method);
  refuseContradictions(method, given);
  const headers = readHeaders(given.header ?? []);
  const target = await readTarget(context, method, text);
  const options = target.operation?.answer === 'list' ? given : withoutVariable(input.command, given, 'all');
  if (options.all && target.operation && target.operation.answer !== 'list') throw noList(target.path);
  const request = await requestFor(context, { method, target, headers, options });
  const saved = options.outputFile === undefined ? undefined : resolve(context.io.cwd, options.outputFile);
  const bytes = saved !== undefined || target.operation?.answer === 'bytes';
  if (bytes) refuseBytes(context, options, saved);

  const search = searchOf(request);
  // Asked for a dry run too: it must not pass for what would be refused.
  await context.campaignStarts.permit([request]);
  if (options.dryRun) return context.output.request({ method, path: `/api/v1${target.path}${search}`, body: request.body });
  if (method !== 'GET') await prepareAnswer(context, target.operation, options.include === true);
  if (method === 'DELETE') await confirm(context, `DELETE /api/v1${target.path}${search}?`);
  const client = await context.client();
  if (bytes) return handOnBytes(context, client, request, { saved, overwrite: options.overwrite });
  if (options.all) return showAll(context, everyRecord(client, request), target.operation);
  const answer = await client.transport.request(request);
  return options.include ? showWhole(context, answer) : showAnswer(context, answer, target.operation);
}

const methodIn = (word: unknown): Method | undefined => methods.find((known) => known === String(word).toUpperCase());

/** No method has a slash. */
const isPath = (word: string): boolean => word.includes('/');

/** What a variable of the environment says is left out where it does not go with the rest: nobody typed it here. */
function fittingOptions({ command, options }: Input, method: Method): Input['options'] {
  let fitting = options;
  if (method !== 'GET' || options.include || options.outputFile !== undefined) fitting = withoutVariable(command, fitting, 'all');
  if (method !== 'POST') fitting = withoutVariable(command, fitting, 'idempotencyKey');
  // What only reads is no write to be kept from.
  if (method === 'GET') fitting = withoutVariable(command, fitting, 'dryRun');
  return fitting;
}

const withoutVariable = (command: Command, options: Input['options'], attribute: string): Input['options'] =>
  isFromVariable(command, attribute) ? { ...options, [attribute]: undefined } : options;

function methodAndPath([first, second]: (string | undefined)[], flag: string | undefined): { method: Method; text: string } {
  const word = first ?? '';
  const method = methodIn(word);
  if (flag !== undefined) {
    if (second !== undefined || (method && !isPath(word)))
      throw usage(`--method ${flag} and the word ${word} both say the method.`, 'leave one of them out');
    const asked = methodIn(flag);
    if (!asked) throw noMethod(flag, '--method');
    if (first === undefined) throw pathMissing(`-X ${asked}`);
    return { method: asked, text: word };
  }
  if (first === undefined)
    throw usage("Missing required argument 'path'.", 'write it like `cs api /cars`; `cs api --help` shows its arguments and flags');
  if (second !== undefined) {
    if (isPath(word)) throw usage(`"${second}" is unexpected: ${word} is the path.`, 'fields of the JSON follow as --json=id,name');
    if (method) return { method, text: second };
    throw noMethod(word);
  }
  if (method) throw pathMissing(method);
  return { method: 'GET', text: word };
}

const pathMissing = (method: string) => usage("Missing required argument 'path'.", `write it like \`cs api ${method} /cars\``);

function noMethod(word: string, flag?: string) {
  const [close] = nearest(word.toUpperCase(), methods);
  const hint = close ? `did you mean ${close}?` : `choose one of ${methods.join(', ')}`;
  return usage(`${flag === undefined ? '' : `${flag}: `}"${word}" is no method of the interface.`, hint);
}

function refuseContradictions(
  method: Method,
  { input, field = [], all, include, outputFile, overwrite, idempotencyKey }: Input['options'],
): void {
  const refuse = (flag: string, why: string) => usage(`${flag} does not go with ${why}.`, 'leave one of them out');
  const reads = method === 'GET' || method === 'DELETE';
  if (reads && typeof input === 'string') throw usage(`A ${method} has no body, so --input is not taken.`, 'fields (-f, -F) are its query');
  if (input === '-' && field.some(readsStdin)) throw refuse('--input -', 'a field that reads stdin');
  if (field.filter(readsStdin).length > 1) throw refuse('A field that reads stdin', 'another one');
  if (method !== 'GET' && all) throw refuse('--all', method);
  if (method !== 'POST' && idempotencyKey !== undefined) throw refuse('--idempotency-key', method);
  if (all && include) throw refuse('--all', '--include');
  if (outputFile !== undefined && (all || include)) throw refuse('--output-file', all ? '--all' : '--include');
  if (overwrite && outputFile === undefined) throw usage('--overwrite is about --output-file, which is missing.', 'give --output-file too');
}

interface Given {
  readonly method: Method;
  readonly target: Target;
  readonly headers: Readonly<Record<string, string>>;
  readonly options: Input['options'];
}

async function requestFor(context: Context, { method, target, headers, options }: Given): Promise<TransportRequest> {
  const given = [...(options.rawField ?? []), ...(options.field ?? [])].sort((a, b) => a.at - b.at);
  const fields = await readFields(context, given);
  const request = { method, path: target.path, search: target.search, headers, idempotencyKey: options.idempotencyKey };
  if (method === 'GET' || method === 'DELETE') return { ...request, query: asQuery(fields) };
  const input = typeof options.input === 'string' ? await readBody(context, options.input) : undefined;
  return { ...request, body: mergeBody(input, fields) };
}

function asQuery(fields: Readonly<Record<string, unknown>>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const values = [value].flat();
      if (values.some((one) => one === null || typeof one === 'object'))
        throw usage(`The field ${name} cannot be a part of a query.`, 'a query holds texts, numbers and lists of them');
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

async function* everyRecord(client: Client, request: TransportRequest): AsyncGenerator<Row> {
  yield* readAll<Row>({
    read: async (page) => {
      const { body } = await client.transport.request({ ...request, query: { ...request.query, ...page } });
      if (!isList(body)) throw noList(request.path);
      return body as unknown as Page<Row>;
    },
  });
}

const noList = (path: string) => usage(`${path} is no list, so --all has nothing to go on with.`, 'leave --all out');

function refuseBytes({ io, settings }: Context, { all, include }: Input['options'], saved: string | undefined): void {
  const [flag] = [all && '--all', include && '--include', settings.jq?.origin === '--jq' && '--jq'].filter(Boolean);
  if (flag) throw usage(`${flag} does not go with an answer of bytes.`, 'leave it out');
  if (saved === undefined && io.stdoutIsTerminal)
    throw usage('The answer is bytes, which a terminal cannot show.', 'save it with --output-file, or send it on with | or >');
}

async function handOnBytes(
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
  await context.output.value({ file, size, contentType }, `saved ${file} (${size} bytes, ${contentType})`);
}
