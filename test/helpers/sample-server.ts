/**
 * A server that answers every operation of the contract with an example, or with overrides of a test. The answer to a write
 * repeats what was sent. It stores no data.
 */
import { createHash } from 'node:crypto';
import type { Operation } from '../../src/contract/operations.ts';
import { examplesOf } from '../../src/openapi/example.ts';
import { operationAt } from './answers.ts';
import {
  type Behaviour,
  json,
  type MisbehavingServer,
  problem,
  raw,
  type SeenRequest,
  startMisbehavingServer,
} from './misbehaving-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: a record of whatever resource
type Row = Record<string, any>;

export interface SampleServer extends Pick<MisbehavingServer, 'url' | 'requests' | 'close'> {
  /** Its result, if any, replaces the example. `undefined` removes it. */
  instead:
    | ((request: SeenRequest, operation: Operation | undefined) => Behaviour | undefined)
    | undefined;
  /** Values for all records with these fields. */
  scene: Row;
  /** Changes each record before the answer. */
  change: ((record: Row, operation: Operation) => Row) | undefined;
}

const bytes = 'not a picture';
const nobodySignedIn = json(401, {
  error: 'Sign in to go on',
  code: 'sign_in_required',
  details: null,
});

export async function startSampleServer(): Promise<SampleServer> {
  const server = await startMisbehavingServer((request) => {
    const url = new URL(request.url, 'http://x');
    const path = url.pathname.replace(/^.*?\/api\/v1(?=\/)/, '');
    const operation = operationAt(request.method, path);
    return (
      sample.instead?.(request, operation) ??
      (path === '/dashboard/session' ? nobodySignedIn : undefined) ??
      answer(operation, path.split('/').at(-1) as string, url.searchParams, {
        ...sentIn(request),
        ...parentIn(operation, path),
      })
    );
  });

  function answer(
    operation: Operation | undefined,
    last: string,
    query: URLSearchParams,
    sent: Row,
  ): Behaviour {
    if (!operation) return problem(404, 'route_not_found');
    const records = recordsOf(operation, last).map((record) => {
      const set = {
        ...record,
        ...Object.fromEntries(
          Object.entries({ ...sample.scene, ...sent }).filter(([name]) => name in record),
        ),
      };
      return sample.change?.(set, operation) ?? set;
    });
    const headers = { 'x-request-id': '019aa0a3-4d00-7000-8000-000000000000' };
    switch (operation.answer) {
      case 'list': {
        const page = Number(query.get('page') ?? 1);
        const limit = Number(query.get('limit') ?? 50);
        return json(
          200,
          { data: page === 1 ? records : [], page, limit, total: records.length },
          headers,
        );
      }
      case 'record':
        return json(operation.success, { data: records[0] }, headers);
      case 'deleted':
        return json(200, { data: { id: last, deleted: true } }, headers);
      case 'bytes':
        return raw(200, 'image/png', bytes, headers);
    }
  }

  const sample: SampleServer = {
    url: server.url,
    requests: server.requests,
    instead: undefined,
    scene: {},
    change: undefined,
    close: () => server.close(),
  };
  return sample;
}

/** The example of the interface description; for event types one that parks a car and one that releases it. */
function recordsOf({ resource, answer }: Operation, last: string): Row[] {
  const examples = new Map(
    examplesOf(resource, 'One').map(([name, { value }]) => [name, value as Row]),
  );
  const record: Row = examples.get('One')?.data ?? examples.get('OnePage')?.data[0];
  if (answer === 'record' && record.id !== undefined && isId.test(last)) record.id = last;
  if ('sha256' in record) record.sha256 = createHash('sha256').update(bytes).digest('hex');
  if (resource.name === 'cars') record.parkingSpotId = '019aa0a3-4d00-7000-8000-00000000005b';
  if (resource.name !== 'eventTypes') return [record];
  const config = { requiresParkingSpot: true, releasesParkingSpot: false };
  return [
    { ...record, value: 'drop_off', name: 'Drop-off', config },
    {
      ...record,
      id: `${record.id.slice(0, -1)}0`,
      value: 'pick_up',
      name: 'Pick-up',
      config: { requiresParkingSpot: false, releasesParkingSpot: true },
    },
  ];
}

/** The field with the id of the record above. */
function parentIn(operation: Operation | undefined, path: string): Row {
  const { parent } = operation?.resource ?? {};
  if (!parent) return {};
  const at = operation?.path.split('/').findIndex((part) => part.startsWith('{')) ?? -1;
  return { [parent.field]: decodeURIComponent(path.split('/')[at] as string) };
}

/** The fields of a write, which its answer repeats. */
const sentIn = ({ headers, body }: SeenRequest): Row =>
  headers['content-type']?.startsWith('application/json') && body ? JSON.parse(body) : {};

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
