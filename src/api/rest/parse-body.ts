import { isDeeperThan } from "#platform/http";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { removeUnstorable } from "./url-normalization.ts";

/** Maximum nesting of lists and objects. */
const MAX_DEPTH = 100;

/**
 * Parses a body by its content type: any JSON value, or text. An empty body is `undefined`.
 * @throws `invalid` for invalid or too deep JSON, `wrong-type` for other types
 */
export function parseBody(text: string, contentType: string | undefined): unknown {
  if (text === "") return undefined;
  const type = (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (type === "" || type === "text/plain") return removeUnstorable(text);
  if (type !== "application/json" && !type.endsWith("+json"))
    throw new Refusal("wrong-type", "The body must be JSON or plain text.", { kind: "wrong-type" });
  if (isDeeperThan(MAX_DEPTH, text))
    throw new Refusal(
      "invalid",
      msg("{what} can be nested at most {count} levels.", {
        what: msg("Lists and objects"),
        count: MAX_DEPTH,
      }),
      {
        kind: "bad-body",
      },
    );
  try {
    const value: unknown = JSON.parse(text);
    return NEEDS_CLEANING.test(text) ? cleanValue(value) : value;
  } catch {
    throw new Refusal("invalid", "The body of this call is not JSON.", { kind: "bad-body" });
  }
}

/**
 * Matches texts that may contain characters the database cannot store, or `__proto__`. They are rare, so
 * most bodies are parsed only once.
 */
const NEEDS_CLEANING = /\\u0000|\\u[dD][89a-fA-F]|__proto__|\\u005[fF]|\0/;

function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return removeUnstorable(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "__proto__")
      .map(([key, it]) => [removeUnstorable(key), cleanValue(it)]),
  );
}
