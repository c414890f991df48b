/** The typed client: the public entry of the package. */
import { contract, type ResourceName } from '../contract/contract.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import type { Resource } from '../contract/resource.ts';
import { fillPath, type Query } from './address.ts';
import { idsIn } from './check-answer.ts';
import { Copies, type ListReader, listReader } from './lists.ts';
import type { ResourceClient } from './methods.ts';
import type { CallOptions, ListOptions, TransportOptions } from './options.ts';
import { markReplayed } from './replays.ts';
import { createTransport, type Transport } from './transport.ts';

export type { CreateFor, RecordFor, ResourceName, UpdateFor } from '../contract/contract.ts';
export type * from '../contract/records.ts';
export { type Abilities, readAbilities } from './abilities.ts';
export {
  ApiError,
  CarStorageError,
  NetworkError,
  ProtocolError,
  UnsteadyListError,
  UsageError,
} from './errors.ts';
export type { AllQuery, Deleted, Everything, ListQuery, ResourceClient } from './methods.ts';
export type {
  AttemptEvent,
  CallOptions,
  ListOptions,
  ServerWarning,
  TransportOptions,
  WriteRequest,
  WriteResult,
} from './options.ts';
export type { Page } from './pages.ts';
export {
  type LoadedPhoto,
  type PhotoFile,
  type PhotoProgress,
  type PhotoResult,
  uploadPhotos,
} from './photos.ts';
export { wasReplayed } from './replays.ts';
export { type Sync, type SyncName, type SyncOptions, sync } from './sync.ts';
export type { Transport } from './transport.ts';

export type ClientOptions = TransportOptions;
export type Client = { readonly [N in ResourceName]: ResourceClient<N> } & {
  /** For requests without a method of their own. */
  readonly transport: Transport;
  /** Closes every connection; running calls fail. */
  close(): Promise<void>;
};

/**
 * Creates a client for one service and one key. Sends nothing before the first call.
 *
 * ```ts
 * const client = createClient({ baseUrl: 'https://cars.example.com', key: process.env.CS_API_KEY });
 * const car = await client.cars.create({ year: 1973, make: 'Porsche', model: '911 Carrera RS' });
 * for await (const spot of client.parkingSpots.all({ available: true })) console.log(spot.name);
 * const event = await client.carEvents.create(car.id, { activityType: 'drop_off', parkingSpotId });
 * await client.close();
 * ```
 * @throws UsageError for an unusable address or key
 */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options);
  const copies = new Copies();
  const client: Record<string, object> = {};
  for (const [name, resource] of Object.entries<Resource>(contract))
    client[name] = Object.assign(
      {},
      ...operationsOf(resource).map((operation) =>
        operation.verb === 'list'
          ? listMethods(listReader(transport, operation, copies), operation)
          : { [operation.verb]: methodOf(transport, operation, copies) },
      ),
    );
  // The one cast: test/client/client.test.ts checks that it has exactly the resources of the contract and their operations.
  return Object.assign(client, { transport, close: () => transport.close() }) as Client;
}

/** Arguments of a method: the ids of its path, then its body or query, then the options of the call. */
function methodOf(transport: Transport, operation: Operation, copies: Copies) {
  const { method, params, resource, answer: expect, preconditions = {} } = operation;
  const takes = operation.body ? 'body' : expect === 'deleted' ? 'query' : undefined;
  return async (...args: unknown[]) => {
    const named = args.splice(0, params.length) as string[];
    const given = takes && { [takes]: args.shift() };
    const options = args[0] as (CallOptions & Record<string, unknown>) | undefined;
    const headers = Object.fromEntries(
      Object.entries(preconditions).flatMap(([name, { header }]) =>
        typeof options?.[name] === 'string' ? [[header.toLowerCase(), options[name]]] : [],
      ),
    );
    const ids = idsIn(resource, named);
    const path = fillPath(operation.path, named);
    const request = { ...options, ...given, headers, method, path, expect, ids, operation };
    if (expect === 'bytes') return transport.stream(request);
    // A list may show a write, or its effects.
    const forget = () => method === 'GET' || copies.forget();
    const { body, replayed } = await transport.request(request).finally(forget);
    const { data } = body as { data: object };
    if (replayed) markReplayed(data);
    return data;
  };
}

function listMethods(reader: ListReader, { params }: Operation) {
  const taken = (args: unknown[]) => {
    const [query = {}, call] = args.slice(params.length) as [Query?, ListOptions?];
    return [args.slice(0, params.length) as string[], query, call] as const;
  };
  return {
    list: async (...args: unknown[]) => reader.page(...taken(args)),
    all: (...args: unknown[]) => {
      const pages = () => reader.pages(...taken(args));
      return Object.assign(inOrder(pages), { pages });
    },
  };
}

async function* inOrder<T>(pages: () => AsyncGenerator<T[], void>): AsyncGenerator<T, void> {
  for await (const rows of pages()) yield* rows;
}
