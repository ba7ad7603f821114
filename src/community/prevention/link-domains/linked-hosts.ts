import { findLinks } from "#platform/markup";

/** Addresses in a text that is not Markdown, such as a profile field. */
const ADDRESS = /(?:https?:[/\\]{2}|www\.)[^\s<>"'`()[\]{}]+/gi;
/** Without one of these, a text has no link in Markdown. */
const LINK_SIGN = /\/\/|www\.|\]\(|\]:|&/i;

/**
 * Hosts that a text links to, in ASCII (Punycode) and lower case, each once: links and pictures of its
 * Markdown, and addresses in plain text.
 */
export function listLinkedHosts(text: string): string[] {
  if (!LINK_SIGN.test(text)) return [];
  const addresses = [...findLinks(text), ...(text.match(ADDRESS) ?? [])];
  return [...new Set(addresses.flatMap(toHost))];
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
