import { ArrowDown } from "lucide-react";
import { Spoken } from "../live/spoken.tsx";
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
