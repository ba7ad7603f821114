import { useEffect, useRef } from "react";
import { Button } from "../ui/forms/button.tsx";
import { dateFormat } from "../ui/text/intl-formats.ts";
import { useRootData } from "../ui/hooks/use-root-data.ts";
import { useLocale, useTranslate } from "../i18n/index.ts";
import { setFieldText } from "./set-field-text.ts";
import type { ConflictingDraft } from "./draft-sync.ts";

type DraftConflictProps = { other: ConflictingDraft; form: () => HTMLFormElement; settle: () => void };

/**
 * Shown when two tabs changed the same draft: both texts and a choice. The choice only decides which text is
 * in the field, so that no text is lost.
 */
export default function DraftConflict({ other, form, settle }: DraftConflictProps) {
  const t = useTranslate();
  const locale = useLocale();
  const { timeZone } = useRootData();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const put = (combine: (mine: string, theirs: string) => string) => {
    for (const name of ["title", "body"] as const) {
      const field = form().elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)
        setFieldText(field, combine(field.value, other[name]));
    }
    settle();
  };
  const both = (mine: string, theirs: string) =>
    mine.includes(theirs) ? mine : theirs.includes(mine) ? theirs : `${theirs}\n\n${mine}`;
  const time = dateFormat(locale, { timeStyle: "short", timeZone }).format(new Date(other.savedAt));
  return (
    <div ref={box} tabIndex={-1} role="alert" className="notice mt-2" data-tone="pending">
      <div className="min-w-0 flex-1">
        <p className="font-semibold">
          {t("You also edited this draft elsewhere. Saved there at {time}:", { time })}
        </p>
        <textarea
          readOnly
          dir="auto"
          rows={4}
          className="input my-2"
          aria-label={t("Saved elsewhere")}
          value={`${other.title}\n\n${other.body}`.trim()}
        />
        <p className="flex flex-wrap gap-2">
          <Button onClick={() => put((mine) => mine)}>{t("Keep this text")}</Button>
          <Button onClick={() => put((_, theirs) => theirs)}>{t("Use the other text")}</Button>
          <Button onClick={() => put(both)}>{t("Combine both")}</Button>
        </p>
      </div>
    </div>
  );
}
