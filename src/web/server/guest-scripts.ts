import { createHash } from "node:crypto";

const SCRIPT_TAG = /<script nonce="[^"]*"([^>]*)>([\s\S]*?)<\/script>/g;
const PRELOAD_TAG = /<link rel="modulepreload"[^>]*>/g;

/**
 * Turns the app's scripts into inert text, which `guest.js` turns back into scripts on the guest's first
 * action, so that a guest's page only runs a few KB of script. Returns the page, and the hashes that allow
 * those scripts in the content policy.
 */
export function deferScripts(html: string): { html: string; hashes: string[] } {
  const hashes: string[] = [];
  const quiet = html
    .replace(PRELOAD_TAG, "")
    .replace(SCRIPT_TAG, (_whole, attributes: string, text: string) => {
      if (attributes.includes("ld+json")) return `<script${attributes}>${text}</script>`;
      // Only the router's scripts are deferred. The small script that restores the scroll position must run
      // before the first paint.
      const waits = text.includes("__reactRouter");
      hashes.push(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
      if (!waits) return `<script${attributes}>${text}</script>`;
      return `<script type="text/kith"${attributes.includes("async") ? " async" : ""}>${text}</script>`;
    });
  return { html: quiet, hashes };
}
