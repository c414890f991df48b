/** A TCP proxy that can go silent: connections stay open, and no byte passes in either direction. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface MuteProxy {
  readonly port: number;
  mute(): void;
  /** Forwards the held bytes. */
  unmute(): void;
  close(): Promise<void>;
}

export async function startMuteProxy(port: number, host = '127.0.0.1'): Promise<MuteProxy> {
  const sockets = new Set<Socket>();
  let muted = false;
  const relay = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => to.write(bytes));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (muted) from.pause();
  };
  const server = createServer((client) => {
    const target = connect(port, host);
    relay(client, target);
    relay(target, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    mute() {
      muted = true;
      for (const socket of sockets) socket.pause();
    },
    unmute() {
      muted = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
