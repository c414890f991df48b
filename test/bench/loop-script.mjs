// What somebody would write who needs all of them: page after page over one connection, a line for each record.
import { once } from 'node:events';
import { Client } from 'undici';

const [url, key] = process.argv.slice(2);
const client = new Client(url);
for (let page = 1, rest = 1; rest > 0; page++) {
  const { body } = await client.request({
    method: 'GET',
    path: `/api/v1/cars?limit=200&page=${page}`,
    headers: { 'x-api-key': key },
  });
  const { data, total } = await body.json();
  for (const record of data)
    if (!process.stdout.write(`${JSON.stringify(record)}\n`)) await once(process.stdout, 'drain');
  rest = total - page * 200;
}
await client.close();
