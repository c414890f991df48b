/** The address of this machine that a phone in the same network reaches. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { CliError } from '../errors/exit.ts';

export interface PhoneAddressFlags {
  readonly phoneAddress?: string;
  readonly phonePort?: string;
}

/** Where the server for the phone listens. */
export async function addressesFor(
  { phoneAddress, phonePort }: PhoneAddressFlags,
  interfaces = networkInterfaces,
) {
  const [address = phoneAddress, ...others] =
    phoneAddress === undefined ? usableAddresses(interfaces(), await defaultRouteAddress()) : [];
  if (address === undefined)
    throw new CliError({
      code: 'usage',
      exitCode: 1,
      message: 'This machine has no address that a phone can reach.',
      hint: 'connect it to a network, or go on without a phone',
    });
  // One firewall rule is enough.
  return { address, others, port: Number(phonePort ?? 8788), orAnyPort: phonePort === undefined };
}

type Interfaces = ReturnType<typeof networkInterfaces>;

/** Networks of containers, virtual machines and tunnels, and of devices beside each other. */
const virtual =
  /^(docker|br-|veth|vethernet|vmnet|virtualbox|vboxnet|utun|tun|tap|wg|tailscale|zt|awdl|llw|lo\d*$)/i;

/**
 * The addresses to offer, the best one first: that of the default route, private IPv4, other IPv4,
 * IPv6.
 */
export function usableAddresses(
  interfaces: Interfaces,
  ofDefaultRoute: string | undefined,
): string[] {
  const found = Object.entries(interfaces)
    .filter(([name]) => !virtual.test(name))
    .flatMap(([, addresses = []]) => addresses)
    .filter(({ internal, address }) => !internal && !isLinkLocal(address))
    .map(({ address }) => address);
  const rank = (address: string) =>
    address === ofDefaultRoute ? 0 : isPrivateV4(address) ? 1 : isIPv4(address) ? 2 : 3;
  return [...new Set(found)].sort((one, other) => rank(one) - rank(other));
}

const isLinkLocal = (address: string): boolean =>
  /^169\.254\./.test(address) || /^fe[89ab]/i.test(address);

const isPrivateV4 = (address: string): boolean =>
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address);

/** An address for documentation, where nobody is. */
const addressOutside = '198.51.100.1';

/** The local address of the default route. Connecting a UDP socket sends nothing. */
export async function defaultRouteAddress(): Promise<string | undefined> {
  const socket = createSocket('udp4');
  try {
    socket.connect(9, addressOutside);
    await once(socket, 'connect');
    return socket.address().address;
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}

/** As in a URL: IPv6 in brackets. */
export const hostOf = (address: string): string => (isIPv6(address) ? `[${address}]` : address);
