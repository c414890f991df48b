/** `cs forms`, against the real service. */
import { describe, expect, test } from 'vitest';
import type { RecordFor } from '../../../../src/contract/contract.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { json as answer, startMisbehavingServer } from '../../../helpers/misbehaving-server.ts';
import { testService } from '../../../helpers/service.ts';

const questions = [
  { key: 'rating', label: 'How was it?', type: 'number', required: true },
  { key: 'again', label: 'Would you come again?', type: 'checkbox' },
  { key: 'day', label: 'Which day?', type: 'date' },
  { key: 'hall', label: 'Which hall?', type: 'select', options: ['Old', 'New'] },
  {
    key: 'likes',
    label: 'What did you like?',
    type: 'multiselect',
    options: ['Hall', 'People', 'Tea, coffee'],
  },
  { key: 'words', label: 'Anything else?', type: 'textarea' },
];

const service = await testService();
const make = facility(service);
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const ann = await make.customer({ firstName: 'Ann', lastName: 'Lee' });

const run = (line: readonly string[], options: CliOptions = {}) =>
  cs(['forms', ...line], { env, now: new Date(2031, 4, 14, 8), ...options });
let made = 0;
async function newForm(
  fields: readonly object[] = questions,
  status = 'published',
): Promise<RecordFor<'forms'>> {
  const { body } = await service.call('POST', '/marketing/forms', {
    name: `Form ${++made}`,
    fields,
    status,
  });
  return body.data;
}
const submit = async (
  form: RecordFor<'forms'>,
  given: object,
): Promise<RecordFor<'formSubmissions'>> =>
  (await service.call('POST', `/marketing/forms/${form.id}/submissions`, given)).body.data;

test('publishes and closes several forms at once', async () => {
  const [one, two] = [await newForm(questions, 'draft'), await newForm(questions, 'draft')];
  expect((await run(['publish', one.slug, '--dry-run'])).json).toMatchObject({
    method: 'PATCH',
    body: { status: 'published' },
  });
  expect((await run(['publish', one.name, two.slug], { as: 'terminal' })).stdout).toMatch(
    /^form published {2}.*\nform published {2}.*\n$/,
  );
  expect((await run(['close', one.slug])).json.status).toBe('closed');
  const late = await run(['submissions', 'create', one.slug, '--answer', 'rating=5']);
  expect([late.code, late.error.code]).toEqual([7, 'form_closed']);
  expect((await run(['publish', one.slug])).json.status).toBe('published');
  const draft = await newForm(questions, 'draft');
  expect((await run(['close', draft.slug])).code).toBe(7);
});

describe('submissions list', () => {
  test('csv has a column for each question in the order of the form, then the other fields', async () => {
    const form = await newForm();
    const first = await submit(form, {
      data: { rating: 4, likes: ['Hall', 'People'], words: 'Fine' },
      customerId: ann.id,
    });
    const second = await submit(form, {
      data: { rating: 5, again: true, words: '=HYPERLINK("http://x")' },
      externalId: 'visit-1',
    });
    const { code, stdout } = await run(['submissions', 'list', form.slug, '--all', '-o', 'csv']);
    expect(code).toBe(0);
    const [head, ...lines] = stdout.trimEnd().split('\r\n');
    expect(head).toBe(
      'rating,again,day,hall,likes,words,status,customer,submittedAt,id,teamId,createdAt,updatedAt,formId,customerId,contactId,externalId',
    );
    expect(lines.map((line) => line.split(`,${form.teamId}`)[0])).toEqual([
      `5,true,,,,"'=HYPERLINK(""http://x"")",new,,${second.submittedAt},${second.id}`,
      `4,,,,"Hall; People",Fine,new,Ann Lee,${first.submittedAt},${first.id}`,
    ]);
  });

  test('the table shows the answers, JSON the records as they are', async () => {
    const form = await newForm();
    const stored = await submit(form, { data: { rating: 4, likes: ['Hall'] }, customerId: ann.id });
    const table = await run(['submissions', 'list', form.slug], { as: 'terminal', columns: 120 });
    expect(table.stdout).toMatch(
      /^SUBMITTED +STATUS +RATING +LIKES +CUSTOMER +ID\n.* new +4 +Hall +Ann Lee +\S+\n$/,
    );
    expect((await run(['submissions', 'list', form.slug])).json).toEqual([stored]);
    const csv = ['-o', 'csv', '--columns', 'rating,customer'];
    const picked = await run(['submissions', 'list', form.slug, ...csv]);
    expect(picked.stdout).toBe('rating,customer\r\n4,Ann Lee\r\n');
    for (const flags of [['--columns', 'stars'], ['--json=stars']]) {
      const refused = await run(['submissions', 'list', form.slug, ...flags], { as: 'terminal' });
      expect([refused.code, refused.stdout]).toEqual([2, '']);
    }
  });
});

test('a question with the key of a field has a column of its own', async () => {
  const form = await newForm([{ key: 'status', label: 'Wet or dry?', type: 'text' }]);
  await submit(form, { data: { status: 'dry' } });
  const csv = ['-o', 'csv', '--columns', 'data.status,status'];
  const { stdout } = await run(['submissions', 'list', form.slug, ...csv]);
  expect(stdout).toBe('data.status,status\r\ndry,new\r\n');
});

describe('submissions create', () => {
  test('converts each answer to the type of its question', async () => {
    const form = await newForm();
    const answers = ['rating=4.5', 'again=yes', 'day=tomorrow', 'hall=New', 'likes=Hall'];
    const line = [
      ...['submissions', 'create', form.slug, '--customer', 'Ann Lee'],
      ...[...answers, 'likes=Tea, coffee', 'words=a=b'].flatMap((one) => ['--answer', one]),
    ];
    const { json, code } = await run(line);
    expect([code, json.customerId]).toEqual([0, ann.id]);
    expect(json.data).toEqual({
      rating: 4.5,
      again: true,
      day: '2031-05-15',
      hall: 'New',
      likes: ['Hall', 'Tea, coffee'],
      words: 'a=b',
    });
    const listed = ['--answer', 'rating=1', '--answer', 'likes=Hall,People', '-n'];
    const planned = await run(['submissions', 'create', form.slug, ...listed]);
    expect(planned.json.body.data.likes).toEqual(['Hall', 'People']);
    // What can't be read stays text, which the service refuses.
    const others = ['rating=much', 'again=maybe'];
    const texts = others.flatMap((one) => ['--answer', one]);
    expect(
      (await run(['submissions', 'create', form.slug, ...texts, '-n'])).json.body.data,
    ).toEqual({ rating: 'much', again: 'maybe' });
    for (const day of ['soon', '2031-02-30'])
      expect(
        await run(['submissions', 'create', form.slug, '--answer', `day=${day}`]),
      ).toMatchObject({ code: 2, error: { message: expect.stringContaining(day) } });
  });

  test('sends text where the server tells no questions', async () => {
    const { id } = await newForm();
    const server = await startMisbehavingServer([answer(200, { data: { id } })]);
    const given = ['rating=4.5', 'likes=Hall', 'likes=Tea'].flatMap((one) => ['--answer', one]);
    const { json } = await run(['submissions', 'create', id, ...given, '--dry-run'], {
      env: { ...env, CS_BASE_URL: server.url },
    });
    await server.close();
    expect(json.body.data).toEqual({ rating: '4.5', likes: ['Hall', 'Tea'] });
  });
});
