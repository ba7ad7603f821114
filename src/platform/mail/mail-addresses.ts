/** The bare address of `Kith <kith@example.org>`, and its host. */
export function parseMailAddress(from: string): { address: string; host: string } {
  const address = (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim();
  return { address, host: address.slice(address.lastIndexOf("@") + 1) || "localhost" };
}

/** Adds a tag to `reply@example.org`: mail to `reply+tag@example.org` reaches the same mailbox. */
export function taggedAddress(base: string, tag: string): string {
  const at = base.lastIndexOf("@");
  return `${base.slice(0, at)}+${tag}${base.slice(at)}`;
}

/**
 * Returns the tag of an address built on `base`; null for any other address. Ignores case, because mail
 * servers may change it.
 */
export function readAddressTag(base: string, address: string): string | null {
  const at = base.lastIndexOf("@");
  const [head, tail] = [`${base.slice(0, at)}+`.toLowerCase(), base.slice(at).toLowerCase()];
  const given = address.trim().toLowerCase();
  return given.startsWith(head) && given.endsWith(tail)
    ? given.slice(head.length, given.length - tail.length)
    : null;
}
