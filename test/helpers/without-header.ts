import { createServer, request } from 'node:http';
import { type Listening, listen } from './listen.ts';

/** The service at another address, whose answers lack a header. */
export async function withoutHeader(url: string, name: string): Promise<Listening> {
  const { hostname, port } = new URL(url);
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const asked = request({ hostname, port, method, path, headers }, (answer) => {
      const { [name]: _, ...others } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, others);
      answer.pipe(outgoing);
    });
    outgoing.on('close', () => asked.destroy());
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  });
  return listen(server);
}
