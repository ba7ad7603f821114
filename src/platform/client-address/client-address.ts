import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** True when the machine at `address` is a proxy of ours; `hop` 0 is the peer of the connection. */
export type TrustedProxies = (address: string, hop: number) => boolean;

const MAX_HOPS = 10;

/**
 * Parses `KITH_TRUST_PROXY`: the number of proxies in front, or their networks (`10.0.0.0/8,127.0.0.1`).
 * Returns false for none, and null for an invalid text.
 */
export function parseTrustedProxies(setting: string): TrustedProxies | false | null {
  if (/^\d{1,3}$/.test(setting)) return trustHops(Number(setting));
  const networks = setting.split(",").map((part) => parseNetwork(part.trim()));
  if (!networks.every((network) => network !== null)) return null;
  return (address) => isIP(address) !== 0 && isWithin(ipaddr.process(address), networks);
}

function trustHops(count: number): TrustedProxies | false | null {
  if (count > MAX_HOPS) return null;
  return count > 0 && ((_address, hop) => hop < count);
}

function parseNetwork(text: string): Network | null {
  const [address = "", length, ...more] = text.split("/");
  if (isIP(address) === 0 || more.length > 0) return null;
  const first = ipaddr.process(address);
  const bits = first.kind() === "ipv4" ? 32 : 128;
  if (length === undefined) return [first, bits];
  return /^\d{1,3}$/.test(length) && Number(length) <= bits ? [first, Number(length)] : null;
}

const isWithin = (address: ipaddr.IPv4 | ipaddr.IPv6, networks: Network[]) =>
  networks.some((network) => network[0].kind() === address.kind() && address.match(network));

/**
 * The client address of a request: the peer of the connection or, when the peer is a proxy of ours, the
 * address in `X-Forwarded-For`. Entries are read from the right, because a client can forge the entries to
 * the left of those that our proxies added. Pages, API, sockets and limits all use this address.
 */
export function clientAddress(
  request: Pick<IncomingMessage, "headers" | "socket">,
  proxies: TrustedProxies | false,
): string {
  const { headers, socket } = request;
  let address = plainAddress(socket.remoteAddress ?? "") ?? "";
  if (!proxies) return address;
  const entries = String(headers["x-forwarded-for"] ?? "").split(",");
  for (let hop = 0; entries.length > 0 && proxies(address, hop); hop++) {
    const named = plainAddress(entries.pop()!.trim());
    // The entry is "unknown", a name or empty: the proxy that wrote it is the last known machine.
    if (named === null) return address;
    address = named;
  }
  return address;
}

/** Address without port, brackets, quotes and zone, and IPv4 always as IPv4. Null when invalid. */
function plainAddress(text: string): string | null {
  const inBrackets = /^"?\[([^\]]*)\](?::\d{1,5})?"?$/.exec(text)?.[1];
  const beforePort = /^"?(\d+\.\d+\.\d+\.\d+):\d{1,5}"?$/.exec(text)?.[1];
  const bare = inBrackets ?? beforePort ?? text;
  const address = bare.split("%")[0]!;
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}

/**
 * The unit of rate limits: an IPv4 address, or the /64 of an IPv6 address, because a household usually has a
 * whole /64.
 */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.process(address.split("%")[0]!);
  return parsed instanceof ipaddr.IPv6
    ? parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(":")
    : parsed.toString();
}

/**
 * Returns an address without its last part (`203.0.113.…`). People can still recognize where a call came
 * from.
 */
export function maskAddress(address: string): string {
  if (isIP(address) === 0) return "";
  const network = clientNetwork(address);
  const mark = network.includes(":") ? ":" : ".";
  return `${network.split(mark).slice(0, 3).join(mark)}${mark}…`;
}
