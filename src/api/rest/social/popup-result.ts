import { randomBytes } from "node:crypto";
import type { FastifyReply } from "fastify";
import { RESPONSE_SENT } from "../rest-route.ts";

/** Escapes a value for a script element, because `</script>` in the value would end the element. */
const escapeForScript = (value: string) =>
  JSON.stringify(value)
    .replace(/</g, "\\u003c")
    .replace(/\u2028|\u2029/g, "");

/**
 * Sends the last page of the popup, which posts the result to its opener in the format clients expect,
 * restricted to `origin`. Unlike our other pages, it keeps its reference to the opener and may be framed by
 * the same origin.
 */
export function sendPopupResult(reply: FastifyReply, result: object, origin: string): typeof RESPONSE_SENT {
  const nonce = randomBytes(16).toString("base64");
  const message = escapeForScript(JSON.stringify(result));
  void reply
    .headers({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "cross-origin-opener-policy": "unsafe-none",
      "referrer-policy": "no-referrer",
      "content-security-policy":
        `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors ` + origin,
    })
    .removeHeader("x-frame-options")
    .send(
      `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="robots" ` +
        `content="noindex"><title>Kith</title></head><body>` +
        `<script nonce="${nonce}">(window.opener||(window.parent!==window&&window.parent)||window)` +
        `.postMessage(${message},${escapeForScript(origin)})</script>` +
        `<p>You can close this window.</p></body></html>`,
    );
  return RESPONSE_SENT;
}
