import { RefreshCw } from "lucide-react";
import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { lineState, onNudge } from "../client/live.ts";
import { useWords } from "../words/index.ts";

/** On a list of what is new in one's groups: something has been written there meanwhile. The list changes when its reader asks for it. */
export default function NewsHere({ of: list }: { of: unknown }) {
  const t = useWords();
  const { revalidate, state } = useRevalidator();
  const [count, setCount] = useState(0);
  const [listening, setListening] = useState(false);
  // What has been read anew since shows what was written.
  useEffect(() => setCount(0), [list]);
  useEffect(() => {
    let wasOpen = lineState() !== "none";
    setListening(lineState() === "open");
    return onNudge(({ about, news }) => {
      if (news) setCount((before) => before + 1);
      if (about !== "line") return;
      setListening(true);
      // Nobody has told what was written while the line was down.
      if (wasOpen) void revalidate();
      wasOpen = true;
    });
  }, [revalidate]);
  return (
    <div role="status" className="live-pill live-pill-above" data-listening={listening || undefined}>
      {count > 0 && (
        <button type="button" onClick={() => void revalidate()} disabled={state === "loading"}>
          <RefreshCw size={16} strokeWidth={1.75} aria-hidden />
          {t("{count, plural, one {# new post} other {# new posts}}", { count })}
        </button>
      )}
    </div>
  );
}
