/** Files in a bucket of an S3 store: five calls, signed by aws4fetch and sent by undici. */
import { setTimeout as wait } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import { networkReasons } from '../../contract/network-reasons.ts';
import { folderIdName } from '../data-folder/names.ts';
import {
  contentName,
  type FileStore,
  isKey,
  StorageFull,
  StorageUnavailable,
  type StoredFile,
  StoreFault,
  s3Address,
} from './store.ts';

export interface S3Place {
  readonly bucket: string;
  /** Without a slash at either end; may be empty. */
  readonly prefix: string;
  /** Such as https://minio.example:9000; without a path. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary keys. */
  readonly sessionToken?: string;
}

interface S3Options {
  /** Waits before the second and the third attempt, in milliseconds. */
  readonly retriesMs?: readonly number[];
  /** For an answer, and for each next part of one, in milliseconds. */
  readonly answerMs?: number;
  /** Files in one answer to a list. */
  readonly listed?: number;
}

type Answer = Dispatcher.ResponseData;

interface Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Sends nothing until the first call. */
export function openS3(
  place: S3Place,
  { retriesMs = [200, 1_000], answerMs = 30_000, listed = 1_000 }: S3Options = {},
): FileStore {
  const { bucket, prefix, endpoint } = place;
  const start = prefix === '' ? '' : `${prefix}/`;
  const agent = new Agent({
    connect: { timeout: 5_000 },
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
  });
  // Derived keys of the day.
  const cache = new Map<string, ArrayBuffer>();

  async function send({ method, key = '', query = {}, body }: Call): Promise<Answer> {
    const url = new URL(`${endpoint}/${bucket}${key && `/${start}${key}`}`);
    for (const [field, value] of Object.entries(query)) url.searchParams.set(field, value);
    const signed = await new AwsV4Signer({
      ...place,
      url: url.href,
      method,
      headers: { 'x-amz-content-sha256': contentName(body ?? new Uint8Array()) },
      service: 's3',
      cache,
    }).sign();
    return request(signed.url, {
      method,
      headers: Object.fromEntries(signed.headers),
      body: body ?? null,
      dispatcher: agent,
    });
  }

  /** Undefined for what is missing. Every call can be repeated: a key stands for the same bytes always. */
  async function call(wanted: Call): Promise<Answer | undefined> {
    for (let attempt = 0; ; attempt++) {
      const answer = await send(wanted).catch((error: Error) => error);
      const result = await resultOf(answer, wanted.method, place);
      if (!(result instanceof StorageUnavailable)) return result;
      const pauseMs = retriesMs[attempt];
      // Another service may write or delete the same key at the same moment.
      const mayPass =
        answer instanceof Error || answer.statusCode === 409 || answer.statusCode >= 500;
      if (result instanceof StorageFull || !mayPass || pauseMs === undefined) throw result;
      await wait(pauseMs);
    }
  }

  const put = async (key: string, body: Uint8Array) =>
    (await call({ method: 'PUT', key, body }))?.body.dump();

  const remove = async (key: string) => (await call({ method: 'DELETE', key }))?.body.dump();

  return {
    place: s3Address(place),
    async put(key, bytes) {
      if (!isKey(key)) throw new TypeError(`${JSON.stringify(key)} isn't a key`);
      await put(key, bytes);
    },
    async get(key) {
      const answer = isKey(key) ? await call({ method: 'GET', key }) : undefined;
      // A stream that nobody reads to its end would end the process with an error.
      answer?.body.on('error', () => undefined);
      return answer && { size: lengthOf(answer), stream: answer.body };
    },
    async sizeOf(key) {
      const answer = isKey(key) ? await call({ method: 'HEAD', key }) : undefined;
      await answer?.body.dump();
      return answer && lengthOf(answer);
    },
    async remove(key) {
      if (isKey(key)) await remove(key);
    },
    async *list(): AsyncGenerator<StoredFile> {
      for (let token: string | undefined = ''; token !== undefined; ) {
        const query = {
          'list-type': '2',
          'max-keys': String(listed),
          prefix: start,
          ...(token && { 'continuation-token': token }),
        };
        const text: string = await textOf(await call({ method: 'GET', query }));
        for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const key = valueIn(entry, 'Key')?.slice(start.length) ?? '';
          if (isKey(key))
            yield {
              key,
              sizeBytes: Number(valueIn(entry, 'Size')),
              modifiedAt: new Date(valueIn(entry, 'LastModified') ?? ''),
            };
        }
        const isCut = /true/i.test(valueIn(text, 'IsTruncated') ?? '');
        token = isCut ? valueIn(text, 'NextContinuationToken') : undefined;
      }
    },
    // An object of its own, always the same one. Deleted again: without that right, deleted photos would stay for ever.
    async checkWritable() {
      await put('write-check', Buffer.from('car-storage\n'));
      await remove('write-check');
    },
    async readOwner() {
      const answer = await call({ method: 'GET', key: folderIdName });
      const owner = answer && (await textOf(answer)).trim();
      // A web server may answer anything.
      if (owner !== undefined && !/^[0-9a-f-]{36}( \d+)?$/.test(owner))
        throw new StorageUnavailable(
          new StoreFault(`${endpoint} doesn't answer like an S3 store`, 'check CS_FILES_ENDPOINT'),
        );
      return owner;
    },
    writeOwner: async (owner) => void (await put(folderIdName, Buffer.from(`${owner}\n`))),
  };
}

const lengthOf = ({ headers }: Answer): number => Number(headers['content-length']);

async function textOf(answer: Answer | undefined): Promise<string> {
  try {
    return (await answer?.body.text()) ?? '';
  } catch (error) {
    throw new StorageUnavailable(error);
  }
}

/** The text of the first such element. */
function valueIn(xml: string, element: string): string | undefined {
  const [, rest] = xml.split(`<${element}>`, 2);
  const [text] = rest?.split('<', 1) ?? [];
  return text?.replace(
    /&(amp|lt|gt|quot|apos);/g,
    (_, name: keyof typeof entities) => entities[name],
  );
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The answer, undefined for a missing object, or the failure. */
async function resultOf(
  answer: Answer | Error,
  method: Call['method'],
  place: S3Place,
): Promise<Answer | undefined | StorageUnavailable> {
  if (answer instanceof Error) return new StorageUnavailable(networkFault(answer, place));
  const { statusCode, headers } = answer;
  if (statusCode >= 200 && statusCode < 300) return answer;
  const text = await textOf(answer).catch(() => '');
  const code = valueIn(text, 'Code') ?? '';
  // A missing bucket is 404 too. The answer to HEAD has no code.
  const mayBeMissing = method === 'HEAD' || code === 'NoSuchKey' || method === 'DELETE';
  if (statusCode === 404 && mayBeMissing && code !== 'NoSuchBucket') return undefined;
  const fault = refusal(statusCode, code, { place, date: String(headers.date ?? '') });
  return method === 'PUT' && isFull(statusCode, code)
    ? new StorageFull(fault, 'The store for the files of the service is full')
    : new StorageUnavailable(fault);
}

const isFull = (status: number, code: string): boolean =>
  status === 507 || /^(EntityTooLarge|QuotaExceeded|\w*StorageFull)$/.test(code);

const certificateHint =
  'use the name that the certificate has in CS_FILES_ENDPOINT, or name its authority with NODE_EXTRA_CA_CERTS';

function networkFault(error: Error, { endpoint }: S3Place): StoreFault {
  const { code = '' } = error as NodeJS.ErrnoException;
  const faultFor = (message: string, hint: string) => new StoreFault(message, hint, error);
  const hint =
    'check CS_FILES_ENDPOINT, also whether the store speaks http or https, and that it runs';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return faultFor(`The host of ${endpoint} wasn't found`, hint);
  if (/^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/.test(code))
    return faultFor(
      `${endpoint} doesn't speak https`,
      'write CS_FILES_ENDPOINT with http:// if the way to the store is safe without TLS, or switch TLS on in the store',
    );
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return faultFor(`The certificate of ${endpoint} is for another name`, certificateHint);
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return faultFor(`The certificate of ${endpoint} isn't trusted (${code})`, certificateHint);
  const reason = networkReasons[code] ?? (error.message || code);
  return faultFor(`${endpoint} doesn't answer: ${reason}`, hint);
}

function refusal(
  status: number,
  code: string,
  { place, date }: { place: S3Place; date: string },
): StoreFault {
  const { bucket, endpoint, region } = place;
  if (isFull(status, code))
    return new StoreFault(`The store at ${endpoint} is full (${code})`, 'make room in it');
  switch (code) {
    case 'NoSuchBucket':
      return new StoreFault(
        `The bucket ${bucket} doesn't exist at ${endpoint}`,
        'create it in the store, or name another one',
      );
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
      return new StoreFault(
        `The store doesn't accept the key ${place.accessKeyId} (${code})`,
        'check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and CS_FILES_REGION',
      );
    case 'AccessDenied':
      return new StoreFault(
        `The key ${place.accessKeyId} may not use the bucket ${bucket}`,
        'allow it to read, write, delete and list objects there',
      );
    case 'RequestTimeTooSkewed': {
      const minutes = Math.round(Math.abs(Date.now() - Date.parse(date)) / 60_000);
      const by = Number.isNaN(minutes) ? '' : ` by ${minutes} minutes`;
      return new StoreFault(
        `The clock of this machine differs from that of the store${by}`,
        'set the clock, and switch its synchronization on',
      );
    }
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
      return new StoreFault(
        `The bucket ${bucket} isn't in the region ${region} (${code})`,
        'name its region with CS_FILES_REGION',
      );
    default:
      return new StoreFault(
        `${endpoint} answered ${status}${code && ` (${code})`}`,
        status < 400
          ? 'check CS_FILES_ENDPOINT, also whether the store speaks https'
          : 'see the log of the store',
      );
  }
}
