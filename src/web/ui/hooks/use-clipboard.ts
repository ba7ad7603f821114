import { useState } from "react";
import { useHydrated } from "./use-hydrated.ts";

/**
 * Copies text. Browsers have a clipboard only on pages of `https` and of this machine: elsewhere, and until
 * scripts run, `copy` is null, and the text has to be selected by hand.
 */
export function useClipboard(): { copied: boolean; copy: ((text: string) => void) | null } {
  const hydrated = useHydrated();
  const [copied, setCopied] = useState(false);
  // TypeScript's types say that it always exists.
  const clipboard = hydrated ? (navigator.clipboard as Clipboard | undefined) : undefined;
  // A browser that denies it rejects; the text can still be selected.
  const write = (text: string) =>
    void clipboard?.writeText(text).then(
      () => setCopied(true),
      () => {},
    );
  return { copied, copy: clipboard ? write : null };
}
