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
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || INSIDE.has(address)) return false;
  const it = ipaddr.parse(address);
  return it.range() === "unicast" && (it.kind() === "ipv4" || it.match(GLOBAL));
}

/** RFC 4291, 2.4: what is given out of IPv6. What lies beside it, such as `::7f00:1`, leads nowhere or inside. */
const GLOBAL = ipaddr.parseCIDR("2000::/3");
/** A provider's own service, which answers every machine there at an address that looks like anybody's (Azure, "What is IP address 168.63.129.16?"). */
const INSIDE = new Set(["168.63.129.16"]);

/** Outside addresses, at the ports of the web. */
export const outside: MayConnect = (address, port) => (port === 80 || port === 443) && isPublic(address);

/** All addresses of a host; of an address, itself. */
export const resolveHost: Resolve = async (host) => {
  const bare = host.replace(/^\[|\]$/g, "");
  if (isIP(bare)) return [bare];
  return (await lookup(bare, { all: true })).map(({ address }) => address);
};
