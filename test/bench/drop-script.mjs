// The least that a copy could do: page after page over one connection, thrown away.
import { Client } from 'undici';

const [url, key, path] = process.argv.slice(2);
const client = new Client(url);
const read = (page) =>
  client
    .request({
      method: 'GET',
      path: `/api/v1${path}?limit=200&page=${page}`,
      headers: { 'x-api-key': key },
    })
    .then(({ body }) => body);
const { total } = await (await read(1)).json();
for (let page = 2; (page - 1) * 200 < total; page++) await (await read(page)).arrayBuffer();
await client.close();
