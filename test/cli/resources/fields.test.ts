import { expect, test } from 'vitest';
import { describeForHelp, fieldNamed, flagFields } from '../../../src/cli/resources/fields.ts';
import { contract } from '../../../src/contract/contract.ts';
import type { Resource } from '../../../src/contract/resource.ts';

const fields = ['startAt', 'status', 'fromAddress'].map((name) => ({
  name,
  flag: `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
}));

test.each([
  ['End; must be after startAt.', 'End; must be after --start-at'],
  ['Sender name, shown with fromAddress.', 'Sender name, shown with --from-address'],
  ['Number of people; null for no limit.', 'Number of people; empty for no limit'],
  ['The status; see otherField.', 'The status; see otherField'],
])('%j as help', (about, help) => {
  expect(describeForHelp(about, fields)).toBe(help);
});

test('every boolean flag has a description for each value', () => {
  const missing = Object.values<Resource>(contract).flatMap((resource) => {
    const settable = Object.entries(resource.fields).filter(
      ([, { create, update }]) => create !== 'never' || update,
    );
    return [...flagFields(Object.fromEntries(settable)), ...flagFields(resource.filters ?? {})]
      .filter(({ kind, meanings }) => kind === 'boolean' && !(meanings?.true && meanings.false))
      .map(({ name }) => `${resource.name}.${name}`);
  });
  expect(missing).toEqual([]);
});

// An unknown name stays as typed.
test.each([
  ['customer', 'customerId'],
  ['customer-id', 'customerId'],
  ['customerId', 'customerId'],
  ['wheels', 'wheels'],
])('%s is read as %s', (typed, name) => {
  expect(fieldNamed(flagFields(contract.cars.fields), typed)).toBe(name);
});
