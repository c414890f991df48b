import ipaddr from 'ipaddr.js';

/** The part of IPv6 from which public addresses are given out; ipaddr.js calls everything that it has no name for unicast. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is reachable by everyone and by no one in particular: global unicast.
 * Every special range is out: this host, private, link-local (cloud metadata), shared, documentation, benchmarking, multicast,
 * reserved. So are the IPv6 forms that carry an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo), whichever it is:
 * a relay could take them anywhere. `address` is an IP literal without brackets; text that is none is not public.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(publicIpv6);
}

/** Whether an address is of this machine or of a private network, the only ones that a test or a demonstration opens up. */
export function isPrivate(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ['loopback', 'private', 'uniqueLocal'].includes(ipaddr.parse(address).range());
}
