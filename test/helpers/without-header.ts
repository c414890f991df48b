import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The service at another address, whose answers lack a header. */
export async function withoutHeader(
  url: string,
  name: string,
): Promise<{ readonly url: string; close(): void }> {
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
