import { useEffect, useState } from "react";
import { useWords } from "../words/index.ts";

/**
 * Says how much of a text is too much, while it is written. A field with a limit of its own would cut what is pasted into it
 * without a word.
 */
export function TooLong({ fieldId, most }: { fieldId: string; most: number }) {
  const t = useWords();
  const [over, setOver] = useState(0);
  useEffect(() => {
    const field = document.getElementById(fieldId);
    if (!(field instanceof HTMLTextAreaElement)) return;
    const look = () => setOver(Math.max(0, field.value.length - most));
    look();
    field.addEventListener("input", look);
    return () => field.removeEventListener("input", look);
  }, [fieldId, most]);
  return (
    <p role="status" className="fault mt-1 empty:hidden">
      {over > 0 && t("{count, plural, one {# character too many.} other {# characters too many.}}", { count: over })}
    </p>
  );
}
