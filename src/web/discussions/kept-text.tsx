import type { Draft } from "#community/discussions";
import { useWords } from "../words/index.ts";

/** A text that can be read and copied, and not changed. Its label may be for those who hear it alone. */
export function KeptText({ id, label, text, hidden = false }: { id: string; label: string; text: string; hidden?: boolean }) {
  return (
    <div className="field mt-2">
      <label htmlFor={id} className={hidden ? "sr-only" : undefined}>
        {label}
      </label>
      <textarea id={id} readOnly rows={8} dir="auto" value={text} className="input" />
    </div>
  );
}

/** What somebody began to write where they cannot go on with it: the words are still theirs. */
export function KeptDraft({ draft }: { draft: Pick<Draft, "body"> | null }) {
  const t = useWords();
  return draft?.body ? <KeptText id="kept-draft" label={t("What you were writing here")} text={draft.body} /> : null;
}
