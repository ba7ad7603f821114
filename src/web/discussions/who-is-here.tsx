import { useEffect, useReducer, useRef, useState } from "react";
import type { Line, Status } from "../client/live-line.ts";
import { useLine } from "../live/use-line.ts";
import { TOKENS } from "../tokens.ts";
import { useRoot } from "../ui/index.ts";
import { useWords } from "../words/index.ts";

/** Beside the reply box: how many others are reading, or writing at this moment, of those who let it be known. */
export function WhoIsHere({ discussionId }: { discussionId: string }) {
  const t = useWords();
  const place = useRef<HTMLParagraphElement>(null);
  const { typing, others } = useCompany(discussionId, place);
  const words =
    typing > 0
      ? t("{count, plural, one {One person is replying} other {# people are replying}}", { count: typing })
      : others > 0
        ? t("{count, plural, one {One other person is here} other {# others are here}}", { count: others })
        : "";
  return (
    <p ref={place} className="hint ms-auto">
      {words}
    </p>
  );
}

function useCompany(discussionId: string, place: React.RefObject<HTMLElement | null>) {
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
    const { typing: says, leave } = line.join(`discussion:${discussionId}`, {
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
    const unfollow = line.follow([{ table: "Posts", events: ["created"], where: `discussionId = '${discussionId}'` }], {
      changed: ({ ownerId }) => change((them) => them.delete(String(ownerId))),
    });
    const stopListening = sayWhenTyping(place.current, says);
    return () => {
      stopListening();
      unfollow();
      leave();
      ends.forEach(clearTimeout);
    };
  }, [line, discussionId, place]);
  const others = new Set([...present.values()].filter((userId) => userId !== me?.id));
  return { typing: [...typing].filter((userId) => userId !== me?.id).length, others: others.size };
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

/** Listens to the reply box of the same section. */
function sayWhenTyping(beside: HTMLElement | null, says: ReturnType<Line["join"]>["typing"]): () => void {
  const section = beside?.closest("section");
  const typed = (event: Event) => event.target instanceof HTMLTextAreaElement && event.target.value.trim() !== "" && says();
  section?.addEventListener("input", typed);
  return () => section?.removeEventListener("input", typed);
}
