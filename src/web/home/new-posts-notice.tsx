import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { getConnectionState, onViewerUpdate } from "../client/live-state.ts";
import { useTranslate } from "../i18n/index.ts";

/**
 * In a list of unread discussions: a notice of new posts. The list only changes when its reader clicks it.
 */
export default function NewPostsNotice({ of: list }: { of: unknown }) {
  const t = useTranslate();
  const { revalidate, state } = useRevalidator();
  const [count, setCount] = useState(0);
  const [listening, setListening] = useState(false);
  const [countedList, setCountedList] = useState(list);
  // A list loaded since contains the new posts.
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
      // Updates while the connection was lost were missed.
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
