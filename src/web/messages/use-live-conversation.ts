import { useEffect, useMemo, useRef, useState } from "react";
import { onViewerUpdate } from "../client/live-state.ts";
import { createRefetch } from "../live/live-refetch.ts";
import { useLiveConnection } from "../live/use-live-connection.ts";
import { useAccessLost } from "../live/use-access-lost.ts";
import { DESIGN_TOKENS } from "../tokens.ts";
import { urls } from "../urls.ts";
import type { ConversationData } from "./conversation-data.ts";
import { mergeMessages } from "./merge-messages.ts";
import type { LiveConversation } from "./live-conversation.ts";
import { isAtEnd } from "./use-stay-at-end.ts";

/**
 * Keeps an open conversation current: messages, edits, deletions, participants and read positions. Messages
 * are marked as read only while the end is visible. `again` fetches the data once more.
 */
export function useLiveConversation(loaded: ConversationData) {
  const { id } = loaded.conversation;
  const { before, after, at } = loaded.window;
  const line = useLiveConnection();
  const [shutOff, onAccessLost] = useAccessLost(urls.conversation(id));
  const [now, setNow] = useState<LiveConversation>();
  const shown = useRef(loaded);
  const soon = useMemo(
    () =>
      createRefetch<LiveConversation>(
        () => urls.conversationNow(id, { before, after, at, read: isAtEnd() ? 1 : undefined }),
        {
          took: (liveConversation) =>
            setNow({ ...liveConversation, page: mergeMessages(shown.current.page, liveConversation.page) }),
          onAccessLost,
        },
      ),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `shown` is a ref
    [id, before, after, at, onAccessLost],
  );
  const isNewer = now !== undefined && now.asOf > loaded.asOf && now.conversation.id === id;
  const data = isNewer ? { ...loaded, ...now } : loaded;
  useEffect(() => void (shown.current = data));
  useEffect(() => {
    const stop = onViewerUpdate(({ about, conversationId }) => {
      if (about === "line" || (about === "conversation" && conversationId === id))
        soon.within(DESIGN_TOKENS.liveGather);
    });
    return () => {
      stop();
      soon.stop();
    };
  }, [id, soon]);
  useEffect(() => {
    return line?.follow(
      [{ table: "Messages", events: ["created", "updated"], where: `conversationId = '${id}'` }],
      {
        changed: () => soon.within(0),
        // Fetches messages that arrived before the connection was open, or while it was lost.
        ready: () => soon.within(DESIGN_TOKENS.liveGather),
        onAccessLost: () => soon.within(0),
      },
    );
  }, [line, id, soon]);
  // Marks messages as read when the reader returns to the page or to its end.
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && soon.within(DESIGN_TOKENS.liveGather);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [soon]);
  return { it: data, shutOff, again: () => soon.within(0) };
}
