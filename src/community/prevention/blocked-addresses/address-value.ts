import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { type Message, msg } from "#platform/messages";

export type BlockedAddressKind = "domain" | "email" | "network";
export type BlockedAddressValue = { kind: BlockedAddressKind; value: string };

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
/** Minimum prefix length by IP version. A wider network could be a whole country. */
const WIDEST = { 4: 8, 6: 16 } as const;

/** Recognizes an email domain, an email address or a network as a moderator types it. */
export function parseBlockedAddress(typed: string): BlockedAddressValue | { error: Message } {
  const text = typed.trim().toLowerCase();
  const [address = "", bits, ...more] = text.split("/");
  const version = isIP(address);
  if (version !== 0 && more.length === 0) return parseNetwork(address, version === 4 ? 4 : 6, bits);
  const [local, host, ...rest] = text.includes("@") ? text.split("@") : ["", text];
  const domain = toDomain((host ?? "").replace(/^\*?\./, ""));
  if (domain === null || rest.length > 0)
    return {
      error: msg(
        "Enter a domain such as example.com, an email address, or a network such as 203.0.113.0/24.",
      ),
    };
  return local
    ? { kind: "email", value: `${withoutTag(local)}@${domain}` }
    : { kind: "domain", value: domain };
}

function parseNetwork(address: string, version: 4 | 6, bits: string | undefined) {
  const longest = version === 4 ? 32 : 128;
  const length = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
  if (length < 0 || length > longest || address.includes("%"))
    return {
      error: msg("The prefix length of a network must be a number up to {most}, as in {example}.", {
        most: longest,
        example: version === 4 ? "203.0.113.0/24" : "2001:db8::/32",
      }),
    };
  if (length < WIDEST[version])
    return {
      error: msg("This network is too large. Its prefix length must be at least {least}.", {
        least: WIDEST[version],
      }),
    };
  return { kind: "network" as const, value: `${address}/${length}` };
}

/** The domain in ASCII (Punycode); null for anything else. */
export function toDomain(host: string): string | null {
  const ascii = domainToASCII(host).replace(/\.$/, "");
  return ascii.length <= 253 && DOMAIN.test(ascii) ? ascii : null;
}

/** Removes the tag of an address: mail to `name+tag` reaches the mailbox of `name`. */
const withoutTag = (local: string) => local.replace(/^([^+]+)\+.*$/, "$1");

/** The stored values that block an email address: the address, its domain and the domains above. */
export function listBlockingValues(email: string): string[] {
  const [local = "", host = ""] = email.trim().toLowerCase().split("@");
  const domain = toDomain(host) ?? host;
  const labels = domain.split(".");
  return [`${withoutTag(local)}@${domain}`, ...labels.map((_, i) => labels.slice(i).join("."))];
}
