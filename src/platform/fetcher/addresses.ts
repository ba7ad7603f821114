import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Where a request may go: the address it connects to, already resolved, and the port. */
export type MayConnect = (address: string, port: number) => boolean;
export type Resolve = (host: string) => Promise<string[]>;

/**
 * Whether an address is somebody's out on the internet. All else is refused by its range: this machine, private and
 * provider networks, link-local, multicast, and every way to write an IPv4 address as IPv6 (mapped, NAT64, 6to4, Teredo).
 */
export const isPublic = (address: string): boolean => ipaddr.isValid(address) && ipaddr.parse(address).range() === "unicast";

/** Outside addresses, at the ports of the web. */
export const outside: MayConnect = (address, port) => (port === 80 || port === 443) && isPublic(address);

/** All addresses of a host; of an address, itself. */
export const resolveHost: Resolve = async (host) => {
  const bare = host.replace(/^\[|\]$/g, "");
  if (isIP(bare)) return [bare];
  return (await lookup(bare, { all: true })).map(({ address }) => address);
};
