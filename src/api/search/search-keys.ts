import { createHmac } from "node:crypto";
import { BlockList, isIPv4, isIPv6 } from "node:net";
import { isSameSecret } from "#platform/ids";
import { keysOf } from "#platform/objects";

/**
 * Length of the signature in a derived key, in hexadecimal digits. Such a key is
 * `base64(hex(HMAC-SHA256(parent, said)) + said)`, as the clients' `generateSecuredApiKey` creates it. `said`
 * is a query string of search parameters, which override those of the request.
 */
const SIGNATURE_LENGTH = 64;
const MAX_LENGTH = 8_000;

/** Derives a key from `parent`. */
export function deriveKey(parent: string, restrictions: Record<string, string>): string {
  const text = new URLSearchParams(restrictions).toString();
  return Buffer.from(signKey(parent, text) + text).toString("base64");
}

const signKey = (parent: string, text: string) => createHmac("sha256", parent).update(text).digest("hex");

/** Returns the parent and the parameters of a derived key; null if none of the parents created it. */
export function readDerivedKey<Parent extends string>(
  parents: Record<Parent, string>,
  key: string,
): { parent: Parent; restrictions: URLSearchParams } | null {
  if (key.length > MAX_LENGTH || !/^[\w+/-]+={0,2}$/.test(key)) return null;
  const text = Buffer.from(key, "base64").toString();
  if (text.length < SIGNATURE_LENGTH) return null;
  const [signature, restrictions] = [text.slice(0, SIGNATURE_LENGTH), text.slice(SIGNATURE_LENGTH)];
  const parent = keysOf(parents).find((name) =>
    isSameSecret(signKey(parents[name], restrictions), signature),
  );
  return parent === undefined ? null : { parent, restrictions: new URLSearchParams(restrictions) };
}

/** Reads a list from the parameters of a key, comma-separated or JSON depending on the client. */
export function readKeyList(restrictions: URLSearchParams, name: string): string[] | null {
  const text = restrictions.get(name);
  if (text === null || text === "") return null;
  if (!text.startsWith("[")) return text.split(",").map((it) => it.trim());
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : [];
  } catch {
    return [];
  }
}

/** Whether an address matches one of the sources, which are addresses or networks such as `10.0.0.0/8`. */
export function isAllowedSource(sources: string[], address: string): boolean {
  const known = new BlockList();
  for (const source of sources) {
    const [net = "", bits] = source.split("/");
    const family = addressFamily(net);
    const most = family === "ipv4" ? 32 : 128;
    if (family && bits === undefined) known.addAddress(net, family);
    if (family && bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= most)
      known.addSubnet(net, Number(bits), family);
  }
  const family = addressFamily(address);
  return family !== null && known.check(address, family);
}

const addressFamily = (address: string) => (isIPv4(address) ? "ipv4" : isIPv6(address) ? "ipv6" : null);
