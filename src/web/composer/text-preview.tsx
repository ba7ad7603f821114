import { useEffect, useRef } from "react";
import { UnresolvedMentionsNotice } from "../discussions/replies/unresolved-mentions.tsx";
import { Button } from "../ui/forms/button.tsx";
import { Prose } from "../ui/text/prose.tsx";
import { useFormResult } from "../ui/forms/use-form-result.ts";
import { useTranslate } from "../i18n/index.ts";
import type { PreviewResult } from "./preview-data.ts";

/** Button that requests the page again with a preview of the text; it also works without scripts. */
export function PreviewButton() {
  const t = useTranslate();
  return (
    <Button type="submit" name="preview" value="1" kind="quiet">
      {t("Preview")}
    </Button>
  );
}

/** Whether the form is submitted only for a preview. */
export const isPreviewSubmit = ({ submitter }: SubmitEvent) => submitter?.getAttribute("name") === "preview";

/** Shows the requested preview. `intent` names this form, if the page has several. */
export function TextPreview({ intent }: { intent?: string }) {
  const t = useTranslate();
  const answer = useFormResult<PreviewResult | null>();
  const box = useRef<HTMLElement>(null);
  const preview = answer && "preview" in answer && answer.typed["intent"] === intent ? answer.preview : null;
  useEffect(() => {
    if (preview) box.current?.focus();
  }, [preview]);
  if (!preview) return null;
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={t("Preview")}
      className="mt-3 rounded-control border border-dashed border-line p-3"
    >
      <p className="mb-2 text-small text-quiet">{t("Preview. Nothing is sent yet.")}</p>
      <Prose html={preview.html} />
      {preview.plain && <UnresolvedMentionsNotice {...preview.plain} />}
    </section>
  );
}
