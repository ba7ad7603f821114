import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Decides by the resolved address and the port whether a connection is allowed. */
export type ConnectionFilter = (address: string, port: number) => boolean;
export type HostResolver = (host: string) => Promise<string[]>;

/**
 * True for an address on the public internet. Rejects by range: this machine, private and provider networks,
 * link-local, multicast, and every way to write an IPv4 address as IPv6 (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || PROVIDER_ADDRESSES.has(address)) return false;
  const it = ipaddr.parse(address);
  return it.range() === "unicast" && (it.kind() === "ipv4" || it.match(GLOBAL_IPV6));
}

/**
 * RFC 4291, 2.4: the allocated part of IPv6. Addresses outside it, such as `::7f00:1`, are unreachable or
 * internal.
 */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");
/**
 * A cloud provider's own service at an address that looks public (Azure, "What is IP address
 * 168.63.129.16?").
 */
const PROVIDER_ADDRESSES = new Set(["168.63.129.16"]);

/** Allows public addresses, on the ports of the web. */
export const allowPublicWeb: ConnectionFilter = (address, port) =>
  (port === 80 || port === 443) && isPublicAddress(address);

/** Resolves a host to all its addresses; an address resolves to itself. */
export const resolveHost: HostResolver = async (host) => {
  const bare = host.replace(/^\[|\]$/g, "");
  if (isIP(bare)) return [bare];
  return (await lookup(bare, { all: true })).map(({ address }) => address);
};
