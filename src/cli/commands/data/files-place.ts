/** The S3 store for the files of the service: `--files s3://bucket/prefix`, and the variables with its address and its key. */
import type { S3Place } from '../../../service/files/s3.ts';
import { usage } from '../../errors/exit.ts';
import type { Command } from '../../framework/command.ts';
import type { Io } from '../../terminal/io.ts';
import { readVariable } from './secrets.ts';

export const addFilesFlag = (command: Command): Command =>
  command.option(
    '--files <url>',
    'S3 store for photos and assets: s3://bucket/prefix (default: the data folder) (CS_FILES)',
  );

type Environment = Pick<Io, 'env' | 'cwd'>;

/** Undefined where the files are in the data folder. */
export function readFilesPlace(io: Environment, flag: string | undefined): S3Place | undefined {
  const given = flag ?? readVariable(io, 'CS_FILES');
  return given === undefined ? undefined : parseFilesPlace(io, given, '--files');
}

export function parseFilesPlace(io: Environment, given: string, flag: string): S3Place {
  const [, bucket = '', prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.-]+(?:\/[\w.-]+)*)?)?\/?$/.exec(given) ??
    [];
  if (!bucket || prefix.split('/').some((part) => /^\.\.?$/.test(part)))
    throw usage(
      `"${given}" (${flag}) isn't the address of an S3 store.`,
      'write it like s3://bucket/prefix: lower-case letters, digits, "." and "-" in the bucket, in the prefix other letters and "_" as well',
    );
  const first = (...names: readonly string[]) => {
    for (const name of names) {
      const value = readVariable(io, name);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const region = first('CS_FILES_REGION', 'AWS_REGION', 'AWS_DEFAULT_REGION');
  const endpoint = first('CS_FILES_ENDPOINT', 'AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL');
  const url = endpoint === undefined ? undefined : URL.parse(endpoint);
  if (endpoint !== undefined && !(url && /^https?:$/.test(url.protocol) && url.pathname === '/'))
    throw usage(
      `"${endpoint}" (CS_FILES_ENDPOINT) isn't the address of an S3 store.`,
      'write it like https://s3.example.com, without a bucket',
    );
  if (!url && region === undefined)
    throw usage(
      'The region of the S3 store is missing.',
      'set CS_FILES_REGION for Amazon S3, or CS_FILES_ENDPOINT for another store',
    );
  const [accessKeyId, secretAccessKey] = [
    readVariable(io, 'AWS_ACCESS_KEY_ID'),
    readVariable(io, 'AWS_SECRET_ACCESS_KEY'),
  ];
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw usage(
      `${flag} needs a key: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
      'set both, or name files with them in AWS_ACCESS_KEY_ID_FILE and AWS_SECRET_ACCESS_KEY_FILE',
    );
  return {
    bucket,
    prefix,
    endpoint: url?.origin ?? `https://s3.${region}.amazonaws.com`,
    region: region ?? 'us-east-1',
    accessKeyId,
    secretAccessKey,
    sessionToken: readVariable(io, 'AWS_SESSION_TOKEN'),
  };
}
