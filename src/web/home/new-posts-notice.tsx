import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { getConnectionState, onViewerUpdate } from "../client/live-state.ts";
import { useTranslate } from "../i18n/index.ts";

/**
 * Notice of new posts above a list of unread discussions. The list changes only when the reader clicks the
 * notice.
 */
export default function NewPostsNotice({ of: list }: { of: unknown }) {
  const t = useTranslate();
  const { revalidate, state } = useRevalidator();
  const [count, setCount] = useState(0);
  const [listening, setListening] = useState(false);
  const [countedList, setCountedList] = useState(list);
  // A reloaded list contains the new posts, so counting starts again.
  if (countedList !== list) {
    setCountedList(list);
    setCount(0);
  }
  useEffect(() => {
    let wasOpen = getConnectionState() !== "none";
    setListening(getConnectionState() === "open");
    return onViewerUpdate(({ about, news }) => {
      if (news) setCount((before) => before + 1);
      if (about !== "line") return;
      setListening(true);
      // Updates were missed while the connection was lost, so the page is loaded again.
      if (wasOpen) void revalidate();
      wasOpen = true;
    });
  }, [revalidate]);
  return (
    <div role="status" className="live-pill live-pill-above" data-listening={listening || undefined}>
      {count > 0 && (
        <button type="button" onClick={() => void revalidate()} disabled={state === "loading"}>
          <i className="icon icon-refresh-cw size-4" />
          {t("{count, plural, one {# new post} other {# new posts}}", { count })}
        </button>
      )}
    </div>
  );
}
