import { useCallback, useState } from "react";
import { useRevalidator } from "react-router";

/** Text that was being written when access was lost. */
export type AccessLostState = { text: string };

/**
 * Handles lost access to open content. `onAccessLost` checks whether the reader has lost access. If so, the
 * hook returns their unsent text, which the page shows instead of the content. If the page was moved or
 * requires signing in, it is loaded again.
 */
export function useAccessLost(address: string): [AccessLostState | null, onAccessLost: () => Promise<void>] {
  const { revalidate } = useRevalidator();
  const [at, setAt] = useState<(AccessLostState & { address: string }) | null>(null);
  const onAccessLost = useCallback(async () => {
    const answer = await fetch(address, { method: "HEAD", redirect: "manual", cache: "no-store" }).catch(
      () => null,
    );
    if (answer === null || ![403, 404, 410].includes(answer.status)) return void (await revalidate());
    const field = document.querySelector<HTMLTextAreaElement>("form[data-composer] textarea[name=body]");
    // Connection and page may both report the lost access. The first report counts, because the text field no
    // longer exists at the second one.
    setAt((before) => (before?.address === address ? before : { address, text: field?.value ?? "" }));
  }, [address, revalidate]);
  return [at?.address === address ? at : null, onAccessLost];
}
