/** The view of a resource: nouns and fields from the contract, columns by hand or derived. */
import { contract, type ResourceName } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import { choicesOf, kindOf, shownFields } from '../../contract/schemas.ts';
import { type CarIdentity, carName } from '../../facility/car-names.ts';
import { type Column, idColumn, plateCells, timeColumn, type View } from '../output/view.ts';
import { stateWords, words } from '../terminal/text.ts';
import { labelRuleOf } from './labels.ts';

/** The output of a delete. */
export const deletedView = (view: View): View => ({ ...view, fields: ['id', 'deleted'] });

type ViewOptions = Partial<
  Pick<View, 'one' | 'many' | 'columns' | 'title' | 'fields' | 'emptyHint'>
>;

export function viewOf(name: ResourceName, own: ViewOptions = {}): View {
  const resource: Resource = contract[name];
  let fields = own.fields;
  return {
    one: resource.singular,
    many: resource.plural,
    title: (row) => String(labelRuleOf(name)?.label(row) ?? ''),
    ...own,
    columns: own.columns ?? derivedColumns(resource),
    // Computed when used: few commands need them.
    get fields() {
      fields ??= Object.keys(shownFields(resource));
      return fields;
    },
  };
}

/** Name, status, references, times, id. */
function derivedColumns(resource: Resource): readonly Column[] {
  const calling = labelRuleOf(resource.name);
  const fields = Object.entries(resource.fields).filter(
    ([, { read, schema }]) => read && kindOf(schema) !== 'json',
  );
  const chosen = fields.filter(([, { schema }]) => choicesOf(schema) !== undefined);
  const named = fields.filter(
    ([, { references }]) => references !== undefined && references !== resource.parent?.resource,
  );
  const times = fields.filter(([, { schema }]) => kindOf(schema) === 'timestamp');
  return [
    ...(calling ? [{ header: 'name', cell: calling.label }] : []),
    ...chosen.map(([field]): Column => ({ ...state(field, headerOf(field)), droppable: true })),
    ...named.map(([field, { references = '' }]) => reference(headerOf(field), field, references)),
    ...times.map(([field]) => timeColumn(headerOf(field), field)),
    idColumn,
  ];
}

/** The name of the record that a field refers to. */
export const reference = (header: string, field: string, resource: string): Column => ({
  header,
  cell: (row, { label }) => label(resource, row[field]),
  names: { [field]: resource },
  droppable: true,
});

/** The car of a record. */
export const carColumn: Column = {
  header: 'car',
  cell: (row, { label }) => label('cars', row.carId),
  names: { carId: 'cars' },
  minCells: plateCells,
};

/** The columns of a car in another row. */
export const carCells = (car: CarIdentity | null) => ({
  licensePlate: car?.licensePlate,
  car: car && carName(car),
  carId: car?.id,
});

/** The value of a field. */
export const column = (header: string, field = header): Column => ({
  header,
  cell: (row) => row[field],
});
/** The same, dropped first in a narrow terminal. */
export const droppableColumn = (header: string, field = header): Column => ({
  header,
  cell: (row) => row[field],
  droppable: true,
});
/** A status, with spaces for underscores. */
export const state = (field = 'status', header = 'status'): Column => ({
  header,
  cell: (row) => (typeof row[field] === 'string' ? stateWords(row[field]) : row[field]),
});

const headerOf = (field: string): string => words(field.replace(/(Id|At)$/, '')).toLowerCase();
