import type { Draft } from "#community/discussions";
import { useTranslate } from "../../i18n/index.ts";

/** A text that can be read and copied, but not changed. Its label may be for screen readers only. */
export function ReadOnlyText({
  id,
  label,
  text,
  hidden = false,
}: {
  id: string;
  label: string;
  text: string;
  hidden?: boolean;
}) {
  return (
    <div className="field mt-2">
      <label htmlFor={id} className={hidden ? "sr-only" : undefined}>
        {label}
      </label>
      <textarea id={id} readOnly rows={8} dir="auto" value={text} className="input" />
    </div>
  );
}

/** A draft that can no longer be sent: its writer can still copy it. */
export function ReadOnlyDraft({ draft }: { draft: Pick<Draft, "body"> | null }) {
  const t = useTranslate();
  return draft?.body ? (
    <ReadOnlyText id="kept-draft" label={t("Your unsent text")} text={draft.body} />
  ) : null;
}
