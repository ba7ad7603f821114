import { type ReactNode, useRef } from "react";
import type { Conversation } from "#community/conversations";
import { usePresence } from "../live/use-presence.ts";
import { listFormat } from "../ui/text/intl-formats.ts";
import { useLocale, useTranslate } from "../i18n/index.ts";

/**
 * Shows who is typing, if both the viewer and that person share their typing status; otherwise shows
 * `quiet`.
 */
export function TypingIndicator({
  conversation: { id, others },
  quiet,
}: {
  conversation: Conversation;
  quiet: ReactNode;
}) {
  const t = useTranslate();
  const locale = useLocale();
  const container = useRef<HTMLSpanElement>(null);
  const { typing } = usePresence(
    { channel: `conversation:${id}`, table: "Messages", where: `conversationId = '${id}'` },
    container,
  );
  const names = others.filter((it) => typing.includes(it.id)).map(({ name }) => name);
  return (
    <span ref={container} data-writers>
      {names.length > 0
        ? t("{count, plural, one {{names} is writing…} other {{names} are writing…}}", {
            count: names.length,
            names: listFormat(locale).format(names),
          })
        : quiet}
    </span>
  );
}
