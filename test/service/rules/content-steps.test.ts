import { describe, expect, test } from 'vitest';
import type { RecordFor } from '../../../src/contract/contract.ts';
import { campaignsOf } from '../../helpers/campaigns.ts';
import { testService } from '../../helpers/service.ts';
import { issues, made, ok, type Row, row, testTable } from '../../helpers/table.ts';

const service = await testService();
const make = campaignsOf(service);

const campaign = await make.campaign();
const path = `/marketing/campaigns/${campaign.id}/content`;

describe('text', async () => {
  const sms = await make.campaign({ channel: 'sms' });
  const offer = await make.template({ subject: 'Winter', body: 'Keep it dry.' });
  const bare = await make.template({ body: 'No subject.' });
  const note = await make.template({ channel: 'sms', body: 'Your car is ready.' });
  const post = await make.template({ channel: 'social', body: 'Look.' });
  const step = await make.step(campaign.id, { subject: 'Own', body: 'Own text.' });
  const create = (name: string, body: object, expected: Row['expect'], to = path): Row =>
    row('POST', to)(`create: ${name}`, body, expected);
  const change = row('PATCH', `${path}/${step.id}`);
  const toSms = `/marketing/campaigns/${sms.id}/content`;
  testTable(service, [
    create('neither text nor template', {}, issues({ subject: 'required', body: 'required' })),
    create('e-mail without a subject', { body: 'B' }, issues({ subject: 'required' })),
    create(
      'by template',
      { templateId: offer.id },
      made({
        templateId: offer.id,
        subject: 'Winter',
        body: 'Keep it dry.',
        delayMinutes: 0,
        campaignId: campaign.id,
      }),
    ),
    create(
      'by template, with a subject of its own',
      { templateId: offer.id, subject: 'S' },
      made({ subject: 'S', body: 'Keep it dry.' }),
    ),
    create(
      'a template without a subject',
      { templateId: bare.id },
      issues({ subject: 'required' }),
    ),
    create(
      'a template and no subject',
      { templateId: offer.id, subject: null },
      issues({ subject: 'required' }),
    ),
    create('a template for SMS', { templateId: note.id }, issues({ templateId: 'same_channel' })),
    create('a template for posts', { templateId: post.id }, issues({ templateId: 'same_channel' })),
    create(
      'SMS by template',
      { templateId: note.id },
      made({ subject: null, body: 'Your car is ready.' }),
      toSms,
    ),
    create(
      'SMS by a template for e-mail',
      { templateId: offer.id },
      issues({ templateId: 'same_channel' }),
      toSms,
    ),

    change(
      'naming a template copies it',
      { templateId: offer.id },
      ok({ subject: 'Winter', body: 'Keep it dry.' }),
    ),
    change(
      'its text again',
      { body: 'Own text.' },
      ok({ templateId: offer.id, body: 'Own text.' }),
    ),
    change(
      'the same template changes nothing',
      { templateId: offer.id },
      ok({ body: 'Own text.' }),
    ),
    change(
      'a template without a subject',
      { templateId: bare.id },
      ok({ subject: 'Winter', body: 'No subject.' }),
    ),
    change(
      'no template: the text stays',
      { templateId: null },
      ok({ templateId: null, body: 'No subject.' }),
    ),
    change('no subject', { subject: null }, issues({ subject: 'required' })),
  ]);

  test('a template records its last use', async () => {
    const template = await make.template({ subject: 'S' });
    const { updatedAt } = (await service.call('POST', path, { templateId: template.id })).body.data;
    const { body } = await service.call('GET', `/marketing/templates/${template.id}`);
    expect(body.data).toMatchObject({ lastUsedAt: updatedAt, updatedAt });
    const refused = await make.template({ channel: 'sms' });
    await service.call('POST', path, { templateId: refused.id });
    expect(
      (await service.call('GET', `/marketing/templates/${refused.id}`)).body.data.lastUsedAt,
    ).toBeNull();
  });
});

test('a deleted template is permanently gone, its text stays in content steps', async () => {
  const template = await make.template({ subject: 'Hello', body: 'Hello there.' });
  const kept = await make.template({ subject: 'Kept' });
  const stepOf = async ({ id }: { id: string }) =>
    (await service.call('POST', path, { templateId: id })).body.data;
  const [step, other] = [await stepOf(template), await stepOf(kept)];
  expect(step).toMatchObject({ templateId: template.id, subject: 'Hello', body: 'Hello there.' });
  expect((await service.call('DELETE', `/marketing/templates/${template.id}`)).status).toBe(200);
  expect((await service.call('GET', `${path}/${other.id}`)).body.data).toEqual(other);
  const after = (await service.call('GET', `${path}/${step.id}`)).body.data;
  expect(after).toEqual({ ...step, templateId: null, updatedAt: after.updatedAt });
  expect(after.updatedAt > step.updatedAt).toBe(true);
});

describe('order', () => {
  /** A campaign with these steps, in this order. */
  const campaignOf = async (...subjects: string[]) => {
    const { id } = await make.campaign();
    for (const subject of subjects) await make.step(id, { subject, body: subject });
    const to = `/marketing/campaigns/${id}/content`;
    const read = async (): Promise<RecordFor<'campaignSteps'>[]> =>
      (await service.call('GET', to)).body.data;
    const pathOf = async (wanted: string) =>
      `${to}/${(await read()).find(({ subject }) => subject === wanted)?.id}`;
    return {
      read,
      listed: async () => (await read()).map(({ subject, position }) => `${position} ${subject}`),
      add: async (subject: string, position?: number) =>
        (await service.call('POST', to, { subject, body: subject, position })).body.data,
      move: async (subject: string, position: number) =>
        service.call('PATCH', await pathOf(subject), { position }),
      pathOf,
    };
  };

  test('a new one is the last, or makes room; beyond the end is the end', async () => {
    const { listed, add } = await campaignOf('a', 'b');
    expect(await listed()).toEqual(['1 a', '2 b']);
    expect(await add('c', 1)).toMatchObject({ position: 1 });
    expect(await add('d', 99)).toMatchObject({ position: 4 });
    expect(await add('e')).toMatchObject({ position: 5 });
    expect(await listed()).toEqual(['1 c', '2 a', '3 b', '4 d', '5 e']);
  });
  test('a move takes the others along, and touches only those that moved', async () => {
    const { read, listed, move } = await campaignOf('c', 'a', 'b', 'd', 'e');
    const before = await read();
    await move('d', 2);
    expect(await listed()).toEqual(['1 c', '2 d', '3 a', '4 b', '5 e']);
    const after = await read();
    expect([after[0], after[4]]).toEqual([before[0], before[4]]);
    await move('c', 5);
    expect(await listed()).toEqual(['1 d', '2 a', '3 b', '4 e', '5 c']);
    await move('e', 1);
    await move('e', 4);
    expect(await listed()).toEqual(['1 d', '2 a', '3 b', '4 e', '5 c']);
  });
  test('its current position: no change', async () => {
    const { read, move } = await campaignOf('d', 'a', 'b', 'e', 'c');
    const before = await read();
    expect((await move('b', 3)).status).toBe(200);
    expect((await move('c', 9)).status).toBe(200);
    expect(await read()).toEqual(before);
  });
  test('after a delete the later ones close up', async () => {
    const { listed, pathOf } = await campaignOf('d', 'a', 'b', 'e', 'c');
    const path = await pathOf('b');
    await service.call('DELETE', path);
    expect(await listed()).toEqual(['1 d', '2 a', '3 e', '4 c']);
  });
});
