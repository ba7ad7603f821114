import { useCallback, useState } from "react";
import { useRevalidator } from "react-router";

/** Text that was being written when access was lost. */
export type AccessLostState = { text: string };

/**
 * For open content that its reader may lose access to: `shut` checks, and from then on the page shows that,
 * with their unsent text. If the page has moved, or requires signing in, it is loaded again.
 */
export function useAccessLost(address: string): [AccessLostState | null, shut: () => Promise<void>] {
  const { revalidate } = useRevalidator();
  const [at, setAt] = useState<(AccessLostState & { address: string }) | null>(null);
  const shut = useCallback(async () => {
    const answer = await fetch(address, { method: "HEAD", redirect: "manual", cache: "no-store" }).catch(
      () => null,
    );
    if (answer === null || ![403, 404, 410].includes(answer.status)) return void (await revalidate());
    const field = document.querySelector<HTMLTextAreaElement>("form[data-composer] textarea[name=body]");
    // Connection and page may both report it: the second time the field is gone already.
    setAt((before) => (before?.address === address ? before : { address, text: field?.value ?? "" }));
  }, [address, revalidate]);
  return [at?.address === address ? at : null, shut];
}
