import { isIP } from "node:net";

/** For whom passkeys are made: the name of this house, which a browser compares with the address it is at. */
export type Party = { id: string; origin: string };

/** Null where browsers make none: an address without a name, or without https (but on one's own machine). */
export function partyOf(publicAddress: string): Party | null {
  const { protocol, hostname, origin } = new URL(publicAddress);
  const own = hostname === "localhost" || hostname.endsWith(".localhost");
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || (protocol !== "https:" && !own)) return null;
  return { id: hostname, origin };
}
