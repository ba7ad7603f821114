import { type ReactNode, useRef } from "react";
import type { Conversation } from "#community/conversations";
import { useCompany } from "../live/use-company.ts";
import { listFormat } from "../ui/formats.ts";
import { useLocale, useWords } from "../words/index.ts";

/** Typing indicator, among people who both share it; else `quiet`. */
export function Writers({ conversation: { id, others }, quiet }: { conversation: Conversation; quiet: ReactNode }) {
  const t = useWords();
  const locale = useLocale();
  const place = useRef<HTMLSpanElement>(null);
  const { typing } = useCompany({ channel: `conversation:${id}`, table: "Messages", where: `conversationId = '${id}'` }, place);
  const names = others.filter((it) => typing.includes(it.id)).map(({ name }) => name);
  return (
    <span ref={place} data-writers>
      {names.length > 0
        ? t("{count, plural, one {{names} is writing…} other {{names} are writing…}}", {
            count: names.length,
            names: listFormat(locale).format(names),
          })
        : quiet}
    </span>
  );
}
