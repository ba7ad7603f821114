/** The bare address of `Kith <kith@example.org>`, and its host. */
export function addressOf(from: string): { address: string; host: string } {
  const address = (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim();
  return { address, host: address.slice(address.lastIndexOf("@") + 1) || "localhost" };
}

/** `reply@example.org` with a tag: what comes to `reply+tag@example.org` lies in the same box. */
export function taggedAddress(base: string, tag: string): string {
  const at = base.lastIndexOf("@");
  return `${base.slice(0, at)}+${tag}${base.slice(at)}`;
}
