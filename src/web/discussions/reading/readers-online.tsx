import { useRef } from "react";
import { usePresence } from "../../live/use-presence.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Beside the reply form: how many others are reading or typing, of those who allow it. */
export function ReadersOnline({ discussionId }: { discussionId: string }) {
  const t = useTranslate();
  const place = useRef<HTMLParagraphElement>(null);
  const { typing, others } = usePresence(
    { channel: `discussion:${discussionId}`, table: "Posts", where: `discussionId = '${discussionId}'` },
    place,
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
    <p ref={place} className="hint ms-auto">
      {words}
    </p>
  );
}
