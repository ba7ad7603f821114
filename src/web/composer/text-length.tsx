import { Suspense, useEffect, useState } from "react";
import { lazyComponent } from "../client/lazy-component.ts";

const TextTooLong = lazyComponent(() => import("./text-too-long.tsx"));

/**
 * Shows by how many characters a text is too long. It replaces `maxlength`, with which a field would
 * silently cut a pasted text.
 */
export function TextLength({ fieldId, most }: { fieldId: string; most: number }) {
  const [length, setLength] = useState(0);
  useEffect(() => {
    const field = document.getElementById(fieldId);
    if (!(field instanceof HTMLTextAreaElement)) return;
    const look = () => setLength(field.value.length);
    look();
    field.addEventListener("input", look);
    return () => field.removeEventListener("input", look);
  }, [fieldId]);
  return (
    <p role="status" className="fault mt-1 empty:hidden">
      {length > most && (
        <Suspense>
          <TextTooLong over={length - most} />
        </Suspense>
      )}
    </p>
  );
}
