import { useEffect, useRef } from "react";
import { asksForPreview } from "./preview.tsx";

/**
 * Stands where something is that goes along with a text, as long as what minds it is itself on its way: a text that is sent meanwhile is
 * kept back, and sent again once that listens.
 */
export function UntilThere() {
  const place = useRef<HTMLProgressElement>(null);
  useEffect(() => {
    const form = place.current?.closest("form");
    let held: SubmitEvent | undefined;
    const hold = (event: SubmitEvent) => {
      if (asksForPreview(event)) return;
      event.preventDefault();
      event.stopPropagation();
      held = event;
    };
    form?.addEventListener("submit", hold, { capture: true });
    return () => {
      form?.removeEventListener("submit", hold, { capture: true });
      // What has come begins to listen after this has gone. A form that went with it sends nothing any more.
      setTimeout(() => held && form?.requestSubmit(held.submitter));
    };
  }, []);
  return <progress ref={place} className="w-full" aria-hidden />;
}
