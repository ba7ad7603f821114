import { ArrowDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { TOKENS } from "../tokens.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import type { Waiting } from "./use-live-discussion.ts";
import { Link } from "../ui/link.tsx";

/** The way to what has been written meanwhile. It floats: nothing moves under the reader's eyes. */
export function NewReplies({ id, waiting }: { id: string; waiting: Waiting }) {
  const t = useWords();
  const words = t("{count, plural, one {# new reply} other {# new replies}}", { count: waiting.count });
  return (
    <div className="live-pill">
      {waiting.count > 0 && (
        <Link to={urls.discussion(id, { post: waiting.first })}>
          <ArrowDown size={16} strokeWidth={2} aria-hidden />
          {words}
        </Link>
      )}
      <Spoken words={waiting.count > 0 ? words : ""} />
    </div>
  );
}

/** For who listens: the latest word, every ten seconds at most. */
function Spoken({ words }: { words: string }) {
  const [said, setSaid] = useState("");
  const last = useRef(-Infinity);
  useEffect(() => {
    const wait = Math.max(0, last.current + TOKENS.liveSummary - performance.now());
    const timer = setTimeout(() => {
      if (words) last.current = performance.now();
      setSaid(words);
    }, wait);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <span role="status" className="sr-only">
      {said}
    </span>
  );
}
