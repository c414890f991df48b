/** The tools of `cs mcp`: each is data, and a function over the same code as the command of its name. */
import { z } from 'zod';
import { recurrenceFrequencies } from '../../../contract/appointments.ts';
import { contract, type RecordFor, type ResourceName } from '../../../contract/contract.ts';
import { type Operation, operationsOf } from '../../../contract/operations.ts';
import type { Resource } from '../../../contract/resource.ts';
import { makeBoard } from '../../../facility/board.ts';
import type { Context } from '../../context.ts';
import { parseDay } from '../../input/day.ts';
import type { Row } from '../../output/view.ts';
import { missingInput } from '../../prompts/prompts.ts';
import { checkBody } from '../../resources/fields.ts';
import { resolveRecord } from '../../resources/lookup.ts';
import { methodsOf } from '../../resources/methods.ts';
import { idsOf, operationFor } from '../../resources/operation.ts';
import { completeBody, missingFlags, planFromFlags } from '../appointments/plan.ts';
import type { AnyAction } from '../counter/action.ts';
import { runAction } from '../counter/engine.ts';
import type { EventType } from '../counter/event.ts';
import { createNameResolver } from '../import/requests.ts';
import { facilityReader } from '../live/read.ts';
import { checklistOf } from '../photos/checklist.ts';
import { describeResource } from '../schema/describe.ts';
import { reportOf } from '../today/report.ts';
import { type Call, store } from './call.ts';

type Verb = 'list' | 'get' | 'create' | 'update';

export interface Tool {
  readonly about: string;
  readonly input: Readonly<Record<string, z.ZodType>>;
  /** The operations that it can't do without. */
  readonly needs?: readonly Operation[];
  /** It takes any resource with this verb, as the argument `resource`. */
  readonly verb?: Verb;
  /** `changes` what is there, `adds` to it, or reads alone. */
  readonly writes?: 'adds' | 'changes';
  // biome-ignore lint/suspicious/noExplicitAny: a tool knows its arguments, which its input checks
  run(call: Call, args: any): Promise<Row>;
}

/** Never a campaign or a post, which reach many people. A file needs its bytes. */
const isOffered = ({ verb, scope, upload }: Operation): boolean =>
  verb === 'list' ||
  verb === 'get' ||
  (!upload && !('all' in scope && scope.all.includes('write:campaigns')));

/** The operations that a tool offers with its verb. */
export const operationsWith = (verb: Verb): Operation[] =>
  Object.values(contract)
    .filter((resource) => !('singleton' in resource))
    .flatMap((resource: Resource) => operationsOf(resource))
    .filter((operation) => operation.verb === verb && isOffered(operation));

const text = (about: string) => z.string().min(1).max(10_000).describe(about);
const record = z.looseObject({});
const resource = text('The name of a resource.');
const parents = z
  .array(z.string())
  .default([])
  .describe('Ids or names of the records that it belongs to, outermost first.');
const id = text('Id or name.');
const car = text('Id, plate, VIN or nickname of the car.');
const notes = text('Free text.').optional();
const at = text('When it happened, if not now, such as 2026-03-01T14:30:00+01:00.').optional();
const location = text('Id or name of the location.').optional();
const spot = text('Id or name of the spot; or give a zone.').optional();
const zone = text('Id or name of the zone.').optional();

export const tools: Readonly<Record<string, Tool>> = {
  search: {
    about:
      'Find cars by words: plate, VIN, nickname, make; or customers or contacts by name, company, e-mail address. At most 20; total has the number of matches.',
    input: { text: text('Words.'), resource: z.enum(['cars', 'customers', 'contacts']) },
    verb: 'list',
    run: (call, { resource, text: q }) =>
      list(call, { resource, parents: [], filters: { q, limit: 20 } }),
  },
  list: {
    about: 'A page of records, most recently changed first. describe names the filters.',
    input: {
      resource,
      parents,
      filters: record.default({}).describe('Such as {"status":"stored"}.'),
      page: z.int().min(1).default(1),
      limit: z.int().min(1).max(200).default(20),
    },
    verb: 'list',
    run: list,
  },
  get: {
    about: 'One record by id or name.',
    input: { resource, id, parents },
    verb: 'get',
    async run({ context }, { resource, id, parents }) {
      const within = await idsOf(context, resource, parents);
      return resolveRecord(context, { resource, text: id, within });
    },
  },
  describe: {
    about: 'Fields, filters, verbs and scopes of a resource. Read it before create and update.',
    input: { resource },
    verb: 'list',
    run: async (_, { resource }) => ({ ...describeResource(contract[resource as ResourceName]) }),
  },
  today: {
    about:
      "The day at the counter: arrivals, departures, late and waiting appointments, cars whose photos are missing. Sections that couldn't be read are null and named in notRead.",
    input: { date: text('today, tomorrow, yesterday or a date.').default('today'), location },
    needs: [operationFor('appointments', 'list')],
    async run({ context }, { date, location: name }) {
      const { io } = context;
      const day = parseDay(date, io.now(), 'date');
      const location = await findLocation(context, name);
      const asked = {
        day,
        now: io.now(),
        locationId: location?.id,
        checklistOf: (type: EventType) => checklistOf(context, type),
      };
      const reader = facilityReader(await context.client());
      const { day: found, gaps } = await reader.day(asked, { signal: io.signal });
      return { ...reportOf(found, gaps, { day, location }) };
    },
  },
  board: {
    about: 'Zones with their spots: free, or taken and by which car.',
    input: { location },
    needs: [operationFor('parkingSpots', 'list')],
    async run({ context }, { location: name }) {
      const locationId = (await findLocation(context, name))?.id;
      const reader = facilityReader(await context.client(), { locationId });
      return { zones: makeBoard(await reader.board({ signal: context.io.signal })) };
    },
  },
  dropoff: {
    about: 'Drop a known car off: log the event and park the car.',
    input: { car, type: text('Event type, such as drop_off.'), spot, zone, location, notes, at },
    needs: [operationFor('carEvents', 'create')],
    writes: 'adds',
    run: counter(async () => (await import('../dropoff/action.ts')).dropoffAction),
  },
  pickup: {
    about: 'Hand a car over: log the event and free its place.',
    input: { car, type: text('Event type (default: the only one).').optional(), notes, at },
    needs: [operationFor('carEvents', 'create')],
    writes: 'changes',
    run: counter(async () => (await import('../pickup/action.ts')).pickupAction),
  },
  move: {
    about: 'Move a parked car to another spot or zone.',
    input: { car, spot, zone, location, notes, at },
    needs: [operationFor('parkingAssignments', 'create')],
    writes: 'changes',
    run: counter(async () => (await import('../move/action.ts')).moveAction),
  },
  appointment: {
    about: 'Create an appointment, or a series with repeat.',
    input: {
      type: text('Value, name or id of the event type.'),
      at: text('Start, such as 2026-03-01T14:30:00+01:00.'),
      until: text('End (default: after the duration of the type).').optional(),
      car: car.optional(),
      customer: id.optional(),
      location,
      title: text('Title on the schedule.').optional(),
      notes,
      repeat: z.enum(recurrenceFrequencies).optional(),
      count: z.int().min(1).max(366).optional().describe('Appointments in the series.'),
    },
    needs: [operationFor('appointments', 'create')],
    writes: 'adds',
    async run(call, args) {
      const plan = await planFromFlags(call.context, args);
      const missing = missingFlags(plan);
      if (missing.length > 0) throw missingInput(missing);
      const fields = completeBody(plan);
      return write(call, 'create', { resource: 'appointments', parents: [], fields });
    },
  },
  create: {
    about:
      'Create a record; fields that refer to another one take its id or name. For drop-offs and moves use their tools.',
    input: { resource, parents, fields: record },
    verb: 'create',
    writes: 'adds',
    run: (call, args) => write(call, 'create', args),
  },
  update: {
    about: 'Change fields of a record. null clears a field, the others stay.',
    input: { resource, id, parents, fields: record },
    verb: 'update',
    writes: 'changes',
    run: (call, args) => write(call, 'update', args),
  },
};

async function list(
  { context }: Call,
  { resource, parents, filters, ...paging }: Omit<Writing, 'fields'> & { readonly filters: Row },
): Promise<Row> {
  const resolve = createNameResolver(context, contract[resource]);
  const asked = { operation: operationFor(resource, 'list'), ids: parents };
  const { ids, body } = await resolve({ ...asked, body: { ...filters, ...paging } });
  const { data, total } = await methodsOf(await context.client(), resource).list(...ids, body);
  return { records: data, ...paging, total };
}

const findLocation = async (context: Context, text: string | undefined) =>
  text === undefined
    ? undefined
    : ((await resolveRecord(context, { resource: 'locations', text })) as RecordFor<'locations'>);

/** A command of the counter, whose journal finishes the same call. */
function counter(load: () => Promise<AnyAction>): Tool['run'] {
  return async (call, args) => {
    await runAction(call.context, await load(), args);
    return call.printed();
  };
}

interface Writing {
  readonly resource: ResourceName;
  readonly id?: string;
  readonly parents: readonly string[];
  readonly fields: Row;
}

async function write(
  call: Call,
  verb: 'create' | 'update',
  { resource, id, parents, fields }: Writing,
): Promise<Row> {
  const operation = operationFor(resource, verb);
  checkBody(operation, fields, { typed: new Set() });
  const ids = await idsOf(call.context, resource, [...parents, ...(id === undefined ? [] : [id])]);
  const resolve = createNameResolver(call.context, operation.resource);
  const { body } = await resolve({ operation, ids, body: fields });
  return store(call, { name: 'record', resource, verb, ids, body });
}
