// The least that an import could do: the same creates, so many at a time.
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';

const [url, key, count, parallel] = process.argv.slice(2);
const pool = new Pool(url, { connections: Number(parallel) });
let next = 0;
async function send() {
  while (next < Number(count)) {
    const body = JSON.stringify({
      year: 1973,
      make: 'Porsche',
      model: '911',
      nickname: `Loop ${next++}`,
    });
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const answer = await pool.request({ method: 'POST', path: '/api/v1/cars', headers, body });
    if (answer.statusCode !== 201)
      throw new Error(`${answer.statusCode} ${await answer.body.text()}`);
    await answer.body.dump();
  }
}
await Promise.all(Array.from({ length: Number(parallel) }, send));
await pool.close();
