import { useEffect, useReducer, useState } from "react";
import type { ChangeSubscription, LiveConnection, PresenceStatus } from "../client/live-connection.ts";
import { DESIGN_TOKENS } from "../tokens.ts";
import { useRootData } from "../ui/hooks/use-root-data.ts";
import { useLiveConnection } from "./use-live-connection.ts";

/** A channel, and the table in which a new record ends its author's typing indicator. */
type PresenceChannel = { channel: string; table: string; where: string };

/**
 * Returns the ids of the other people on a channel and of the people who are typing, if they share their
 * presence. Also sends the viewer's own typing in the form or section around `place`.
 */
export function usePresence(
  { channel, table, where }: PresenceChannel,
  container: React.RefObject<HTMLElement | null>,
) {
  const line = useLiveConnection();
  const { me } = useRootData();
  const [present, note] = useReducer(applyStatus, new Map<string, string | null>());
  const [typing, setTyping] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (!line) return;
    const ends = new Map<string, ReturnType<typeof setTimeout>>();
    const change = (act: (them: Set<string>) => void) =>
      setTyping((before) => {
        const after = new Set(before);
        act(after);
        return after;
      });
    const { typing: says, leave } = line.join(channel, {
      status: note,
      typing(userId) {
        clearTimeout(ends.get(userId));
        ends.set(
          userId,
          setTimeout(() => change((them) => them.delete(userId)), DESIGN_TOKENS.typingLasts),
        );
        change((them) => them.add(userId));
      },
    });
    // A new record ends the typing indicator of its author.
    const written: ChangeSubscription = { table, events: ["created"], where };
    const unfollow = line.follow([written], {
      changed: ({ ownerId }) => change((them) => them.delete(String(ownerId))),
    });
    const stopListening = sendTyping(container.current, says);
    return () => {
      stopListening();
      unfollow();
      leave();
      ends.forEach(clearTimeout);
    };
  }, [line, channel, table, where, container]);
  const others = [...new Set(present.values())].filter((id): id is string => id !== null && id !== me?.id);
  return { typing: [...typing].filter((id) => id !== me?.id), others };
}

/** Applies a status message to the people who are present. */
function applyStatus(
  before: ReadonlyMap<string, string | null>,
  { status, data }: PresenceStatus,
): Map<string, string | null> {
  const after = new Map(status === "LISTING" ? [] : before);
  for (const { connectionId, userId } of data) {
    if (status === "DISCONNECTED") after.delete(connectionId);
    else after.set(connectionId, userId);
  }
  return after;
}

/** Observes typing in the same form or section. */
function sendTyping(
  beside: HTMLElement | null,
  says: ReturnType<LiveConnection["join"]>["typing"],
): () => void {
  const section = beside?.closest("form, section");
  const typed = (event: Event) =>
    event.target instanceof HTMLTextAreaElement && event.target.value.trim() !== "" && says();
  section?.addEventListener("input", typed);
  return () => section?.removeEventListener("input", typed);
}
