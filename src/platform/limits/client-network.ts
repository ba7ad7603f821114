import ipaddr from "ipaddr.js";

/**
 * The unit of rate limits: an IPv4 address, or the /64 network of an IPv6 address, because a household has
 * all of it and could use another address each time.
 */
export function rateLimitNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}
