/** The servers of other teams that every command is tried on: each differs in one thing, some in two that work together. */
import type { Ways } from '../../helpers/other-server.ts';

export interface Variation {
  readonly ways: Ways;
  /** It has states and kinds of its own, where the specification states none. */
  readonly ownWords?: true;
}

/** Decisions of ours that a command could rely on; without them names still work. */
const fields = [
  ...[
    'status',
    'capacity',
    'occupied',
    'available',
    'occupiedByCarId',
    'isActive',
    'lastUsedAt',
    'channel',
    'kind',
    'role',
    'notes',
  ],
  ...['position', 'locationId', 'zoneId', 'description', 'options', 'fields'],
];
/** A server that has only what the specification shows of a car. */
const occupancy = ['occupiedByCarId', 'occupied', 'available'];
const places = ['parkingSpotId', 'parkingZoneId'];
const shownOfCars = [
  'licensePlate',
  'nickname',
  'vin',
  'customerId',
  'locationId',
  'status',
  'parkingSpotId',
  'parkingZoneId',
];

export const variations = {
  plain: { ways: {} },
  'ignores filters': { ways: { filters: 'ignored' } },
  'finds nothing with unknown filters': { ways: { filters: 'empty' } },
  'refuses filters': { ways: { filters: 'refused' } },
  'ignores ids and updatedAfter too': {
    ways: { filters: 'ignored', ignores: ['ids', 'updatedAfter', 'scope'] },
  },
  'searches with capitals as they are typed': { ways: { narrow: 'case' } },
  'searches each field by itself': { ways: { narrow: 'column' } },
  'takes times for dates': { ways: { narrow: 'date' } },
  'event types without pages': { ways: { eventTypeList: 'data alone' } },
  'event types such as drop-off': { ways: { wordBreak: '-' } },
  'no type that frees a place': { ways: { tellsRelease: false } },
  'lacks optional fields': { ways: { lacks: { fields, as: 'missing' } } },
  'null in optional fields': { ways: { lacks: { fields, as: 'null' } } },
  'lacks optional fields and ignores filters': {
    ways: { lacks: { fields, as: 'missing' }, filters: 'ignored' },
  },
  'lacks optional fields and refuses filters': {
    ways: { lacks: { fields, as: 'missing' }, filters: 'refused' },
  },
  'four fields of a car': {
    ways: { lacks: { fields: shownOfCars, as: 'missing', of: '/cars' }, filters: 'ignored' },
  },
  'nothing tells who is parked where': {
    ways: { lacks: { fields: [...occupancy, ...places], as: 'missing' } },
  },
  'assignments without their car': {
    ways: { lacks: { fields: ['carId'], as: 'missing', of: '/parking/assignments' } },
  },
  'assignments alone, without their car': {
    ways: {
      lacks: [
        { fields: occupancy, as: 'missing' },
        { fields: places, as: 'missing', of: '/cars' },
        { fields: ['carId'], as: 'missing', of: '/parking/assignments' },
      ],
    },
  },
  'assignments alone, without their end': {
    ways: {
      lacks: [
        { fields: occupancy, as: 'missing' },
        { fields: places, as: 'missing', of: '/cars' },
        { fields: ['endedAt'], as: 'missing', of: '/parking/assignments' },
      ],
    },
  },
  'event types without scope and config': {
    ways: { lacks: { fields: ['scope', 'config'], as: 'missing', of: '/event-types' } },
  },
  'booleans as text': { ways: { booleans: 'text' } },
  'another record for an id': { ways: { singleRecord: 'another' } },
  'refuses filters with details of its own': { ways: { filters: 'refused', details: 'of zod' } },
  'refuses limits above 20': { ways: { pages: { most: 20, above: 'refused' } } },
  'booleans and numbers as text': { ways: { values: 'as text' } },
  'booleans and numbers as text, and ignores filters': {
    ways: { values: 'as text', filters: 'ignored' },
  },
  'times without an offset': { ways: { times: 'without offset' } },
  'times in German': { ways: { times: 'German' } },
  'times in seconds': { ways: { times: 'seconds' } },
  'ids that count': { ways: { ids: 'integer' } },
  'ids above 2^53': { ways: { ids: 'large integer' } },
  'ids above 2^53, and ignores filters': { ways: { ids: 'large integer', filters: 'ignored' } },
  'ids that count in each list': { ways: { ids: 'integer by list' } },
  'ids that count in each list, and ignores filters': {
    ways: { ids: 'integer by list', filters: 'ignored' },
  },
  cuids: { ways: { ids: 'cuid' } },
  'ids such as rec-11': { ways: { ids: 'short text' } },
  'ids in capitals': { ways: { capitals: 'own ids' } },
  'ids in capitals where records name others': { ways: { capitals: 'references' } },
  'ids in capitals where records name others, and ignores filters': {
    ways: { capitals: 'references', filters: 'ignored' },
  },
  'ids that count, and ignores filters': { ways: { ids: 'integer', filters: 'ignored' } },
  'total as text': { ways: { total: 'text' } },
  'no total': { ways: { total: 'missing' } },
  'times with an offset': { ways: { times: 'offset' } },
  'times such as 14:00+0200': { ways: { times: 'basic offset' } },
  'times with an offset, and ignores filters': { ways: { times: 'offset', filters: 'ignored' } },
  'deletes with 204': { ways: { deleteStatus: 204 } },
  'has no deletes': { ways: { deleteStatus: 404 } },
  'another field for photos': { ways: { photoField: 'image' } },
  'a page for an unknown path': { ways: { unknownPath: 'html' } },
  'refuses limits above 100': { ways: { pages: { most: 100, above: 'refused' } } },
  'gives two records per page': { ways: { pages: { most: 2, above: 'cut' } } },
  'gives two records per page, and tells the limit that was asked for': {
    ways: { pages: { most: 2, above: 'cut' }, toldLimit: 'asked' },
  },
  'gives two records per page, and counts only them': {
    ways: { pages: { most: 2, above: 'cut' }, total: 'of the page' },
  },
  'gives two records per page, tells the limit that was asked for, and counts only them': {
    ways: { pages: { most: 2, above: 'cut' }, toldLimit: 'asked', total: 'of the page' },
  },
  'gives two records per page, and a cursor': {
    ways: { pages: { most: 2, above: 'cut' }, paging: 'cursor' },
  },
  'a cursor in place of pages': { ways: { paging: 'cursor' } },
  'gives two records per page, and ignores filters': {
    ways: { pages: { most: 2, above: 'cut' }, filters: 'ignored' },
  },
  'refuses unknown fields': { ways: { unknownFields: 'refused' } },
  'appointment types of its own': { ways: { appointmentTypes: 'own' } },
  'says only the session of an event': { ways: { events: 'session alone' } },
  'specified paths alone': { ways: { paths: 'specified' } },
  'specified paths alone, and pages for others': {
    ways: { paths: 'specified', unknownPath: 'html' },
  },
  'specified paths alone, and a page with 200 for others': {
    ways: { paths: 'specified', unknownPath: 'html with 200' },
  },
  'specified paths alone, and a sign-in page for others': {
    ways: { paths: 'specified', unknownPath: 'sign-in' },
  },
  'words of its own': { ways: {}, ownWords: true },
  'ignores changes': { ways: { changes: 'ignored' } },
  'ignores changes, and answers with 204': { ways: { changes: 'ignored', changeStatus: 204 } },
  'answers changes with 204': { ways: { changeStatus: 204 } },
  'deletes with 200 and nothing': { ways: { deleteStatus: '200 and nothing' } },
  'deletes with true as text': { ways: { deleteStatus: '200 with text' } },
  'booleans as numbers': { ways: { booleans: 'numbers' } },
  'words of the specification in capitals': { ways: { words: 'in capitals' } },
  'empty text in place of null': { ways: { nulls: 'empty text' } },
  'leaves out null': { ways: { nulls: 'missing' } },
  'the zero time in place of null': { ways: { nulls: 'zero time' } },
} as const satisfies Record<string, Variation>;

export type VariationName = keyof typeof variations;
export const variationNames = Object.keys(variations) as VariationName[];
