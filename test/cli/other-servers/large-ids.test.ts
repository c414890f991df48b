/** Ids that a number of JavaScript can't hold, in the input of commands. */
import { afterAll, expect, test } from 'vitest';
import { otherFacilities, runOn } from './run.ts';

const { open, closeAll } = otherFacilities();
afterAll(closeAll);

const bodies = {
  ndjson: (id: string) => `{"year":1981,"make":"Fiat","model":"ndjson","customerId":${id}}\n`,
  json: (id: string) => `[{"year":1981,"make":"Fiat","model":"json","customerId":${id}}]`,
  csv: (id: string) => `year,make,model,customerId\n1981,Fiat,csv,${id}\n`,
};

test.each(['ndjson', 'json', 'csv'] as const)('cs import cars, from %s', async (format) => {
  const { facility } = await open('ids above 2^53');
  const stdin = bodies[format](facility.fill('{Bob}'));
  const { code, told } = await runOn(facility, `import cars - --format ${format}`, { stdin });
  expect({ code, told: code === 0 ? '' : told }).toEqual({ code: 0, told: '' });
  expect(facility.writes()).toEqual([
    `POST /cars {"year":"1981","make":"Fiat","model":"${format}","customerId":"{Bob}"}`,
  ]);
});

test('cs cars update --input', async () => {
  const { facility } = await open('ids above 2^53');
  const stdin = `{"customerId":${facility.fill('{Bob}')}}`;
  const { code, told } = await runOn(facility, 'cars update {Greta} --input -', { stdin });
  expect({ code, told: code === 0 ? '' : told }).toEqual({ code: 0, told: '' });
  expect(facility.writes()).toEqual(['PATCH /cars/{Greta} {"customerId":"{Bob}"}']);
});

test('an id without a mark is found, and so is the record beside it', async () => {
  const { facility } = await open('ids above 2^53');
  for (const name of ['Greta', 'Otto']) {
    const { stdout } = await runOn(facility, `cars get ${facility.fill(`{${name}}`)}`);
    expect(JSON.parse(stdout)).toMatchObject({ nickname: name, id: facility.fill(`{${name}}`) });
  }
});
