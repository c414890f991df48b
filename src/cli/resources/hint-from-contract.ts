/** The next step after `not_found` and `validation_failed`, found in the contract. */
import { ApiError, type ErrorPlace, NetworkError, ProtocolError } from '../../client/errors.ts';
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
  if (isMissing(error) && !isServiceCode(error.code))
    return missingPathHint(error, run) ?? missingRecordHint(error, run);
  if (isAboutRequest(error) && error.unknownOutcome) {
    const list = whereToCheck(error, run);
    return list && `${report.hint}; ${list}`;
  }
  const isKnown =
    error instanceof ApiError &&
    !error.unknownOutcome &&
    ['not_found', 'validation_failed'].includes(error.code);
  return isKnown ? hintFromContract(error, run) : undefined;
}

const isAboutRequest = (error: unknown): error is ApiError | NetworkError | ProtocolError =>
  error instanceof ApiError || error instanceof NetworkError || error instanceof ProtocolError;

function hintFromContract(
  { code, method, path, message }: ApiError,
  run: HintWords,
): string | undefined {
  const operation = [...walk(contract)].find(
    (one) => one.method === method && matchesPath(one.path, path),
  );
  if (code === 'not_found') return listHint(operation, { path, message, ...run });
  return (
    operation && `\`cs schema ${kebabName(operation.resource)} ${operation.verb}\` shows its fields`
  );
}

/** What a server of another team may not have, and what works there. */
function missingPathHint(
  error: ApiError | ProtocolError,
  { operations }: HintWords,
): string | undefined {
  const { method, path } = error;
  const operation = [...walk(contract)].find(
    (one) => one.method === method && matchesPath(one.path, path),
  );
  if (operation?.source !== 'decision') return undefined;
  const otherwise =
    error instanceof ProtocolError ? ', or the address is wrong: check it with --base-url' : '';
  const part = `${method} ${operation.path} is beyond the specification, so this server may not have it${otherwise}`;
  // Another list was read to find a name.
  if (operation.verb === 'list' && !operations.includes(operation.id))
    return `${part}; where a name was given, use the id (\`id:9\` where ids aren't UUIDs)`;
  // These two are never about a record.
  const isOfMethod = error.status === 405 || error.status === 501;
  return operation.params.length > 0 && !isOfMethod ? `${part}, or it has no such record` : part;
}

/**
 * The same as for `not_found`, for a 404 with a code of the server's own: the specification leaves
 * codes open.
 */
function missingRecordHint(error: ApiError | ProtocolError, run: HintWords): string | undefined {
  const { method, path, message, status } = error;
  const operation = [...walk(contract)].find(
    (one) => one.method === method && matchesPath(one.path, path),
  );
  if (
    error instanceof ProtocolError ||
    status !== 404 ||
    !operation ||
    operation.params.length === 0
  )
    return undefined;
  return listHint(operation, { path, message, ...run });
}

/** Where a create or delete shows whose answer doesn't tell whether it was carried out. */
function whereToCheck({ method, path }: ErrorPlace, run: HintWords): string | undefined {
  const operation = [...walk(contract)].find(
    (one) => one.method === method && matchesPath(one.path, path),
  );
  if (operation?.verb === 'delete') return getHint(operation, { path, ...run });
  return operation?.verb === 'create'
    ? listHint(operation, { path, message: '', ...run })
    : undefined;
}

function getHint(
  { resource, path: declared }: Operation,
  { path, nameOf, flags }: HintWords & { path: string },
): string | undefined {
  const list = labelRuleOf(resource.name)?.list;
  if (!list || !resource.operations.get) return undefined;
  const parts = path.split('/');
  const ids = declared
    .split('/')
    .flatMap((part, index) => (part.startsWith('{') ? [nameOf(parts[index] as string)] : []));
  return `\`${nextCommand([...list.split(' ').slice(1, -1), 'get', ...ids], flags)}\` shows whether it is still there`;
}

/**
 * The command that lists the missing kind of record: the one in the message, otherwise the one in
 * the path.
 */
function listHint(
  operation: Operation | undefined,
  { path, message, nameOf, flags }: HintWords & { path: string; message: string },
): string | undefined {
  const [, missing] = /^No (?:such )?(.+?)(?: with the id given in .*)?$/.exec(message) ?? [];
  const resource: Resource | undefined =
    Object.values(contract).find(({ singular }) => singular === missing) ?? operation?.resource;
  const list = resource && labelRuleOf(resource.name)?.list;
  if (!list) return undefined;
  // Records below another are listed by their parent, which is in the path.
  const within = resource.path.split('/').indexOf('{id}');
  const parent = path.split('/')[within];
  const shows = (...parents: string[]) =>
    `\`${nextCommand([...list.split(' ').slice(1), ...parents], flags)}\` shows them`;
  if (within < 0) return shows();
  return parent !== undefined && operation?.path.startsWith(resource.path)
    ? shows(nameOf(parent))
    : undefined;
}
