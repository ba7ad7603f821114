import { useEffect, useRef } from "react";
import { isPreviewSubmit } from "./text-preview.tsx";

/**
 * Stands in for an attachment while its component loads: holds a submit of the form, and repeats it once that
 * component listens.
 */
export function SubmitGuard() {
  const place = useRef<HTMLProgressElement>(null);
  useEffect(() => {
    const form = place.current?.closest("form");
    let submitEvent: SubmitEvent | undefined;
    const hold = (event: SubmitEvent) => {
      if (isPreviewSubmit(event)) return;
      event.preventDefault();
      event.stopPropagation();
      submitEvent = event;
    };
    form?.addEventListener("submit", hold, { capture: true });
    return () => {
      form?.removeEventListener("submit", hold, { capture: true });
      // The attachment's component starts listening after this one is unmounted. A form that was unmounted
      // too sends nothing.
      setTimeout(() => submitEvent && form?.requestSubmit(submitEvent.submitter));
    };
  }, []);
  return <progress ref={place} className="w-full" aria-hidden />;
}
