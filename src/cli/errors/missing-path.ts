/**
 * Paths that a server doesn't have: the specification leaves them open, so a server of another team
 * may lack them.
 */
import { ApiError, ProtocolError } from '../../client/errors.ts';
import { CliError } from './exit.ts';

const statuses: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/**
 * Whether the server answered that it has no such path, or no such record. For a list that belongs
 * to no record it is the path.
 */
export const isMissing = (error: unknown): error is ApiError | ProtocolError =>
  (error instanceof ApiError || error instanceof ProtocolError) && statuses.has(error.status);

/**
 * Whether a command can go on without a read that only adds a name or a check: the server answered,
 * but not with the records. A key that is refused for every request, and a broken connection, end a
 * command.
 */
export const isUnreadable = (error: unknown): error is ApiError | ProtocolError =>
  error instanceof ProtocolError || (error instanceof ApiError && !endsCommand(error));

const endsCommand = ({ status, code }: ApiError) =>
  status === 401 || status === 429 || code === 'api_disabled';

/**
 * What an error about a missing path says: the part of the interface, and that the specification
 * doesn't promise it.
 */
export const missingPathText = (path: string): string =>
  `this server has no ${path}, which is beyond the specification`;

/** Whether the records of a server don't tell what a filter asks for. */
export const isFieldMissing = (error: unknown): error is ProtocolError =>
  error instanceof ProtocolError && error.code === 'filter_ignored';

/** Exit 9: the records of a server lack what a command needs of them. */
export const missingFieldError = (
  what: string,
  consequence: string,
  hint = '`cs doctor` shows what this server lacks',
): CliError =>
  new CliError({
    code: 'filter_ignored',
    message: `The server doesn't tell ${what}, so ${consequence}.`,
    hint,
  });
