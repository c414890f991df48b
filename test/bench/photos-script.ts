/** A server that takes photos and keeps none, so that a measurement is of the command alone. Prints its address. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let count = 0;
const server = createServer((request, response) => {
  // The texts before the bytes are in the first chunk. They are in the answer, so that nothing is read again.
  let told = {};
  request.once('data', (chunk: Buffer) => {
    const [texts = ''] = chunk.toString('latin1').split(',"base64":');
    told = JSON.parse(`${texts}}`);
  });
  request.resume().on('end', () => {
    const record = { id: `00000000-0000-7000-8000-${String(++count).padStart(12, '0')}`, ...told };
    response
      .writeHead(201, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data: record }));
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`,
  );
});
