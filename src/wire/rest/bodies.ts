import { isDeeperThan } from "#platform/http";
import { Refusal } from "#platform/refusal";
import { storable } from "./address.ts";

/** How deep lists and objects stand in one another at the most. */
const DEEPEST = 100;

/**
 * What a call brought, by what it says it is: JSON of any kind, scalars too, or a text. Nothing at all is `undefined`. Throws
 * `invalid` for JSON that is none or too deep, `wrong-type` for what no call here takes.
 */
export function bodyOf(text: string, contentType: string | undefined): unknown {
  if (text === "") return undefined;
  const type = (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (type === "" || type === "text/plain") return storable(text);
  if (type !== "application/json" && !type.endsWith("+json"))
    throw new Refusal("wrong-type", "Calls bring JSON or plain text.", { kind: "wrong-type" });
  if (isDeeperThan(DEEPEST, text))
    throw new Refusal("invalid", `Lists and objects can stand ${DEEPEST} deep in one another.`, { kind: "bad-body" });
  try {
    const value: unknown = JSON.parse(text);
    return SUSPECT.test(text) ? cleaned(value) : value;
  } catch {
    throw new Refusal("invalid", "The body of this call is not JSON.", { kind: "bad-body" });
  }
}

/** Texts that may hold what cannot be kept, or a key that would not stay one. Rare, so that most are parsed once and done. */
const SUSPECT = /\\u0000|\\u[dD][89a-fA-F]|__proto__|\\u005[fF]|\0/;

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return storable(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "__proto__")
      .map(([key, it]) => [storable(key), cleaned(it)]),
  );
}
