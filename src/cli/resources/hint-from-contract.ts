/** The next step after an error of the server, found in the contract. */
import { ApiError, NetworkError, ProtocolError } from '../../client/errors.ts';
import { contract } from '../../contract/contract.ts';
import { matchesPath, type Operation, walk } from '../../contract/operations.ts';
import type { Resource } from '../../contract/resource.ts';
import { isServiceCode } from '../errors/codes.ts';
import { isMissing } from '../errors/missing-path.ts';
import type { ErrorReport } from '../errors/report.ts';
import { nextCommand } from '../framework/next-command.ts';
import type { HintWords } from '../framework/report-error.ts';
import { kebabName } from './find-resource.ts';
import { labelRuleOf } from './labels.ts';

/** `run`: the words for the next command. */
export function findHint(error: unknown, report: ErrorReport, run: HintWords): string | undefined {
  if (
    !(error instanceof ApiError || error instanceof NetworkError || error instanceof ProtocolError)
  )
    return undefined;
  const { method, path, code, message, unknownOutcome } = error;
  const operation = [...walk(contract)].find(
    (one) => one.method === method && matchesPath(one.path, path),
  );
  const place = { operation, path, message, run };
  if (isMissing(error) && !isServiceCode(code)) {
    if (operation?.source === 'decision') return beyondSpecification(operation, error, run);
    // The specification leaves codes open.
    const isRecord = error instanceof ApiError && error.status === 404;
    return isRecord && operation?.params.length ? listHint(place) : undefined;
  }
  if (unknownOutcome) {
    const next =
      operation?.verb === 'delete'
        ? getHint(operation, path, run)
        : operation?.verb === 'create' && listHint({ ...place, message: '' });
    return next ? `${report.hint}; ${next}` : undefined;
  }
  if (code === 'not_found') return listHint(place);
  return code === 'validation_failed' && operation
    ? `\`cs schema ${kebabName(operation.resource)} ${operation.verb}\` shows its fields`
    : undefined;
}

/** What a server of another team may not have, and what works there. */
function beyondSpecification(
  operation: Operation,
  error: ApiError | NetworkError | ProtocolError,
  { operations }: HintWords,
): string {
  const otherwise =
    error instanceof ProtocolError ? ', or the address is wrong: check it with --base-url' : '';
  const part = `${error.method} ${operation.path} is beyond the specification, so this server may not have it${otherwise}`;
  // Another list was read to find a name.
  if (operation.verb === 'list' && !operations.includes(operation.id))
    return `${part}; where a name was given, use the id (\`id:9\` where ids aren't UUIDs)`;
  // These two are never about a record.
  const isOfMethod = 'status' in error && (error.status === 405 || error.status === 501);
  return operation.params.length > 0 && !isOfMethod ? `${part}, or it has no such record` : part;
}

function getHint(
  { resource, path: declared }: Operation,
  path: string,
  { nameOf, flags }: HintWords,
): string | undefined {
  const list = labelRuleOf(resource.name)?.list;
  if (!list || !resource.operations.get) return undefined;
  const parts = path.split('/');
  const ids = declared
    .split('/')
    .flatMap((part, index) => (part.startsWith('{') ? [nameOf(parts[index] as string)] : []));
  return `\`${nextCommand([...list.split(' ').slice(1, -1), 'get', ...ids], flags)}\` shows whether it is still there`;
}

interface Place {
  readonly operation: Operation | undefined;
  readonly path: string;
  readonly message: string;
  readonly run: HintWords;
}

/**
 * The command that lists the missing kind of record: the one in the message, otherwise the one in
 * the path.
 */
function listHint({ operation, path, message, run }: Place): string | undefined {
  const [, missing] = /^No (?:such )?(.+?)(?: with the id given in .*)?$/.exec(message) ?? [];
  const resource: Resource | undefined =
    Object.values(contract).find(({ singular }) => singular === missing) ?? operation?.resource;
  const list = resource && labelRuleOf(resource.name)?.list;
  if (!list) return undefined;
  // Records below another are listed by their parent, which is in the path.
  const within = resource.path.split('/').indexOf('{id}');
  const parent = within < 0 ? undefined : path.split('/')[within];
  if (within >= 0 && !(parent && operation?.path.startsWith(resource.path))) return undefined;
  const parents = parent ? [run.nameOf(parent)] : [];
  return `\`${nextCommand([...list.split(' ').slice(1), ...parents], run.flags)}\` shows them`;
}
