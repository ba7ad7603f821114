import { useEffect, useRef } from "react";
import { isPreviewSubmit } from "./text-preview.tsx";

/**
 * Holds a submit of the form while the component of an attachment loads, and repeats the submit once that
 * component listens.
 */
export function SubmitGuard() {
  const progress = useRef<HTMLProgressElement>(null);
  useEffect(() => {
    const form = progress.current?.closest("form");
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
      // The attachment's component adds its listener after this component is unmounted. If the form was
      // unmounted too, nothing is sent.
      setTimeout(() => submitEvent && form?.requestSubmit(submitEvent.submitter));
    };
  }, []);
  return <progress ref={progress} className="w-full" aria-hidden />;
}
