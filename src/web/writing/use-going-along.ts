import { type RefObject, useEffect, useState } from "react";
import { asksForPreview } from "./preview.tsx";

/** How far something is that is to stand in a text. */
export type Going = "going" | "there" | "failed";

/**
 * What is on its way goes along with its text: a text that is sent waits for it, and is sent when it is there. `put` puts it into the
 * text. What did not arrive, and says so, keeps nothing back; to look at a text first takes it as it is. Gives whether the text waits.
 */
export function useGoingAlong(box: RefObject<HTMLElement | null>, at: Going, put: () => void): boolean {
  const [waiting, setWaiting] = useState<SubmitEvent | null>(null);
  useEffect(() => {
    const form = box.current?.closest("form");
    const hold = (event: SubmitEvent) => {
      if (at === "failed" || asksForPreview(event)) return;
      if (at === "there") return put();
      event.preventDefault();
      event.stopPropagation();
      setWaiting(event);
    };
    form?.addEventListener("submit", hold, { capture: true });
    return () => form?.removeEventListener("submit", hold, { capture: true });
  });
  useEffect(() => {
    if (!waiting || at === "going") return;
    setWaiting(null);
    if (at === "there") box.current?.closest("form")?.requestSubmit(waiting.submitter);
  }, [at, waiting, box]);
  return waiting !== null;
}
