import { useRef } from "react";
import { usePresence } from "../../live/use-presence.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Shows beside the reply form how many other people are reading or typing, if they share their presence. */
export function ReadersOnline({ discussionId }: { discussionId: string }) {
  const t = useTranslate();
  const container = useRef<HTMLParagraphElement>(null);
  const { typing, others } = usePresence(
    { channel: `discussion:${discussionId}`, table: "Posts", where: `discussionId = '${discussionId}'` },
    container,
  );
  const words =
    typing.length > 0
      ? t("{count, plural, one {# person is replying} other {# people are replying}}", {
          count: typing.length,
        })
      : others.length > 0
        ? t("{count, plural, one {# other person is reading} other {# others are reading}}", {
            count: others.length,
          })
        : "";
  return (
    <p ref={container} className="hint ms-auto">
      {words}
    </p>
  );
}
