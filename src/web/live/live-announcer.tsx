import { useEffect, useRef, useState } from "react";
import { DESIGN_TOKENS } from "../tokens.ts";

/** Announces the latest text to screen readers, at most every ten seconds. */
export function LiveAnnouncer({ words }: { words: string }) {
  const [announcement, setAnnouncement] = useState("");
  const last = useRef(-Infinity);
  useEffect(() => {
    const wait = Math.max(0, last.current + DESIGN_TOKENS.liveSummary - performance.now());
    const timer = setTimeout(() => {
      if (words) last.current = performance.now();
      setAnnouncement(words);
    }, wait);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <span role="status" className="sr-only">
      {announcement}
    </span>
  );
}
