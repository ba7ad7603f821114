import { findBareDomains, findLinks } from "#platform/markup";

/** Addresses in a text that is not Markdown, such as a profile field. */
const ADDRESS = /(?:https?:[/\\]{2}|www\.)[^\s<>"'`()[\]{}]+/gi;
/** Without one of these, a text has no link in Markdown. */
const LINK_SIGN = /\/\/|www\.|\]\(|\]:|&/i;

/**
 * Hosts that a text links to, in ASCII (Punycode) and lower case, each once: links and pictures of its
 * Markdown, and addresses in plain text.
 */
export const listLinkedHosts = (text: string): string[] => [...new Set(listAddresses(text).flatMap(toHost))];

const listAddresses = (text: string): string[] =>
  LINK_SIGN.test(text) ? [...findLinks(text), ...(text.match(ADDRESS) ?? [])] : [];

/** Number of addresses in the new texts that none of the previous texts links to. */
export function countNewLinks(before: readonly string[], now: readonly string[]): number {
  const known = new Set(before.flatMap(listAddresses));
  return new Set(now.flatMap(listAddresses).filter((address) => !known.has(address))).size;
}

/**
 * Number of addresses and of domains without a scheme (`beans.example`) in the new texts that none of the previous
 * texts has.
 */
export function countNewAddresses(before: readonly string[], now: readonly string[]): number {
  const known = new Set(before.flatMap((text) => [...findBareDomains(text), ...listLinkedHosts(text)]));
  const domains = now.flatMap(findBareDomains).filter((domain) => !known.has(domain));
  return countNewLinks(before, now) + new Set(domains).size;
}

/** The host of an address; none for other schemes than those of web pages. */
function toHost(address: string): string[] {
  const typed = /^www\./i.test(address) ? `http://${address}` : address;
  const url = URL.parse(typed, "http://relative.invalid/");
  if (!url || !/^(?:https?|ftp):$/.test(url.protocol) || url.hostname === "relative.invalid") return [];
  return [url.hostname.replace(/\.$/, "")];
}

/** A host and the domains above it. */
export const listDomains = (host: string): string[] => {
  const labels = host.split(".");
  return labels.map((_, i) => labels.slice(i).join("."));
};
