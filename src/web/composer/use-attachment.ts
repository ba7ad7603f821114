import { type RefObject, useEffect, useState } from "react";
import { isPreviewSubmit } from "./text-preview.tsx";

/** State of an upload that belongs to a text. */
export type AttachmentState = "going" | "there" | "failed";

/**
 * Holds a submit of the form until the upload is done, then repeats it. `put` inserts the upload into the
 * text. A failed upload does not block the form, and a preview does not wait. Returns whether a submit is
 * being held.
 */
export function useAttachment(
  box: RefObject<HTMLElement | null>,
  at: AttachmentState,
  put: () => void,
): boolean {
  const [waiting, setWaiting] = useState<SubmitEvent | null>(null);
  useEffect(() => {
    const form = box.current?.closest("form");
    const hold = (event: SubmitEvent) => {
      if (at === "failed" || isPreviewSubmit(event)) return;
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
