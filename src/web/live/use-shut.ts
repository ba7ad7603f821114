import { useCallback, useState } from "react";
import { useRevalidator } from "react-router";

/** What was being written where one may not be any more. */
export type ShutOff = { text: string };

/**
 * For what stands open and may be closed to its reader meanwhile: `shut` looks, and says so from then on in the place of it, with
 * what they were writing. Where the page has moved, or wants signing in, it is read anew.
 */
export function useShut(address: string): [ShutOff | null, shut: () => Promise<void>] {
  const { revalidate } = useRevalidator();
  const [at, setAt] = useState<(ShutOff & { address: string }) | null>(null);
  const shut = useCallback(async () => {
    const answer = await fetch(address, { method: "HEAD", redirect: "manual", cache: "no-store" }).catch(() => null);
    if (answer === null || ![403, 404, 410].includes(answer.status)) return void (await revalidate());
    const field = document.querySelector<HTMLTextAreaElement>("form[data-composer] textarea[name=body]");
    // Line and page may both be told, one after the other: then the field is gone by now.
    setAt((before) => (before?.address === address ? before : { address, text: field?.value ?? "" }));
  }, [address, revalidate]);
  return [at?.address === address ? at : null, shut];
}
