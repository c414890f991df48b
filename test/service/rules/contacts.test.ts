import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/contract.ts';
import type { Resource } from '../../../src/contract/resource.ts';
import { facility } from '../../helpers/facility.ts';
import { fill, named, samplesOf } from '../../helpers/samples.ts';
import { testService } from '../../helpers/service.ts';
import { issues, row, testTable } from '../../helpers/table.ts';

const service = await testService();
const make = facility(service);

const create = row('POST', '/contacts');
testTable(service, [
  create(
    'primary for nobody',
    { firstName: 'A', lastName: 'B', isPrimary: true },
    issues({ isPrimary: 'customer_required' }),
  ),
]);

describe('a deleted contact', () => {
  const own = samplesOf(service, service.key);
  const naming = Object.values<Resource>(contract).filter(({ fields, operations }) => {
    return (
      operations.create &&
      fields.contactId?.references === 'contacts' &&
      fields.contactId.create !== 'never'
    );
  });

  test.each(naming.map((resource) => [resource.plural, resource] as const))(
    'is named by none of the %s any more',
    async (_plural, resource) => {
      const contact = await make.contact({ email: 'gone@example.com', phone: '+49 30 1234' });
      const parent = resource.parent ? [(await own.make(named(resource.parent.resource))).id] : [];
      const path = fill(resource.path, parent);
      const { email, ...body } = await own.body(resource, parent[0]);
      const made = await service.call('POST', path, { ...body, contactId: contact.id });
      const { contactId, updatedAt, ...rest } = made.body.data;
      expect(contactId).toBe(contact.id);
      expect((await service.call('DELETE', `/contacts/${contact.id}`)).status).toBe(200);
      const { updatedAt: later, ...kept } = await make.read(`${path}/${made.body.data.id}`);
      expect(kept).toEqual({ ...rest, contactId: null });
      expect(later > updatedAt).toBe(true);
    },
  );
});

describe('the primary contact', () => {
  const primaries = async (customerId: string) =>
    (await service.call('GET', `/contacts?customerId=${customerId}`)).body.data
      .filter(({ isPrimary }: { isPrimary: boolean }) => isPrimary)
      .map(({ id }: { id: string }) => id);

  test('is one per customer: setting it unsets the other one with a new updatedAt', async () => {
    const [customer, other] = [await make.customer(), await make.customer()];
    const first = await make.contact({ customerId: customer.id, isPrimary: true });
    const second = await make.contact({ customerId: customer.id, isPrimary: true });
    expect(await make.read(`/contacts/${first.id}`)).toMatchObject({
      isPrimary: false,
      updatedAt: second.updatedAt,
    });
    await make.contact({ customerId: other.id, isPrimary: true });
    expect(await primaries(customer.id)).toEqual([second.id]);
    const again = await make.change(`/contacts/${first.id}`, { isPrimary: true });
    expect(await primaries(customer.id)).toEqual([first.id]);
    expect(await make.change(`/contacts/${first.id}`, { isPrimary: true })).toEqual(again);
    await make.change(`/contacts/${first.id}`, { isPrimary: false });
    expect(await primaries(customer.id)).toEqual([]);
  });
  test('a contact that moves to another customer is not primary by default', async () => {
    const [customer, other] = [await make.customer(), await make.customer()];
    const [mover, theirs] = [
      await make.contact({ customerId: customer.id, isPrimary: true }),
      await make.contact({ customerId: other.id, isPrimary: true }),
    ];
    await make.change(`/contacts/${mover.id}`, { customerId: other.id });
    expect(await primaries(other.id)).toEqual([theirs.id]);
    await make.change(`/contacts/${mover.id}`, { customerId: customer.id, isPrimary: true });
    await make.change(`/contacts/${mover.id}`, { customerId: other.id, isPrimary: true });
    expect(await primaries(other.id)).toEqual([mover.id]);
    await make.change(`/contacts/${mover.id}`, { customerId: null });
    expect(await make.read(`/contacts/${mover.id}`)).toMatchObject({
      customerId: null,
      isPrimary: false,
    });
    const refusal = await service.call('PATCH', `/contacts/${mover.id}`, { isPrimary: true });
    expect(refusal.body).toMatchObject({
      code: 'validation_failed',
      details: { issues: [{ rule: 'customer_required' }] },
    });
  });
});
