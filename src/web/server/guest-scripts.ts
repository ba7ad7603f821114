import { createHash } from "node:crypto";

const SCRIPT = /<script nonce="[^"]*"([^>]*)>([\s\S]*?)<\/script>/g;
const PRELOAD = /<link rel="modulepreload"[^>]*>/g;

/**
 * A guest reads without the app: its scripts stay in the page as text, which `guest.js` turns back into scripts when
 * the guest first acts. So the page costs a few KB of script. Gives the page, and the hashes that let those scripts run.
 */
export function forGuests(html: string): { html: string; hashes: string[] } {
  const hashes: string[] = [];
  const quiet = html.replace(PRELOAD, "").replace(SCRIPT, (_whole, attributes: string, text: string) => {
    if (attributes.includes("ld+json")) return `<script${attributes}>${text}</script>`;
    // The scroll position is put back before the page is painted: that script is small, and runs.
    const waits = text.includes("__reactRouter");
    hashes.push(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
    if (!waits) return `<script${attributes}>${text}</script>`;
    return `<script type="text/kith"${attributes.includes("async") ? " async" : ""}>${text}</script>`;
  });
  return { html: quiet, hashes };
}
