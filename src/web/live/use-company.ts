import { useEffect, useReducer, useState } from "react";
import type { Follow, Line, Status } from "../client/live-line.ts";
import { TOKENS } from "../tokens.ts";
import { useRoot } from "../ui/use-root.ts";
import { useLine } from "./use-line.ts";

/** A channel, and the records whose arrival ends that their author is writing them. */
type Meeting = { channel: string; table: string; where: string };

/**
 * Who else is on a channel, and who of them is writing at this moment, of those who let it be known; by their ids. That
 * the viewer writes is heard from the form or section around `place`.
 */
export function useCompany({ channel, table, where }: Meeting, place: React.RefObject<HTMLElement | null>) {
  const line = useLine();
  const { me } = useRoot();
  const [present, note] = useReducer(presentAfter, new Map<string, string | null>());
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
          setTimeout(() => change((them) => them.delete(userId)), TOKENS.typingLasts),
        );
        change((them) => them.add(userId));
      },
    });
    // What somebody was writing is there.
    const written: Follow = { table, events: ["created"], where };
    const unfollow = line.follow([written], { changed: ({ ownerId }) => change((them) => them.delete(String(ownerId))) });
    const stopListening = sayWhenTyping(place.current, says);
    return () => {
      stopListening();
      unfollow();
      leave();
      ends.forEach(clearTimeout);
    };
  }, [line, channel, table, where, place]);
  const others = [...new Set(present.values())].filter((id): id is string => id !== null && id !== me?.id);
  return { typing: [...typing].filter((id) => id !== me?.id), others };
}

/** Who is there after one more word about it. */
function presentAfter(before: ReadonlyMap<string, string | null>, { status, data }: Status): Map<string, string | null> {
  const after = new Map(status === "LISTING" ? [] : before);
  for (const { connectionId, userId } of data) {
    if (status === "DISCONNECTED") after.delete(connectionId);
    else after.set(connectionId, userId);
  }
  return after;
}

/** Listens to what is written in the same form or section. */
function sayWhenTyping(beside: HTMLElement | null, says: ReturnType<Line["join"]>["typing"]): () => void {
  const section = beside?.closest("form, section");
  const typed = (event: Event) => event.target instanceof HTMLTextAreaElement && event.target.value.trim() !== "" && says();
  section?.addEventListener("input", typed);
  return () => section?.removeEventListener("input", typed);
}
