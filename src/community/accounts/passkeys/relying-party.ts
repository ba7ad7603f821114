import { isIP } from "node:net";

/**
 * WebAuthn relying party: the host name and origin of the site, which the browser compares with its address.
 */
export type RelyingParty = { id: string; origin: string };

/** Whether browsers create passkeys for this site. Otherwise every passkey function throws `unavailable`. */
export const supportsPasskeys = (publicAddress: string): boolean => findRelyingParty(publicAddress) !== null;

/** Null where browsers create no passkeys: an IP address, or no https (except on localhost). */
export function findRelyingParty(publicAddress: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(publicAddress);
  const own = hostname === "localhost" || hostname.endsWith(".localhost");
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || (protocol !== "https:" && !own)) return null;
  return { id: hostname, origin };
}
