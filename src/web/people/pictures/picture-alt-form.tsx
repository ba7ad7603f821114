import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import { SubmitButton } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Alternative text of the current picture, editable without uploading it again. */
export function PictureAltForm({ alt }: { alt: string }) {
  const t = useTranslate();
  return (
    <Form method="post" className="mt-4 flex max-w-xl flex-wrap items-end gap-2">
      <label className="grid min-w-0 flex-1 basis-60 gap-1">
        <span className="text-small text-quiet">{t("Alt text of the current picture")}</span>
        <input name="words" defaultValue={alt} maxLength={LIMITS.alt} dir="auto" className="input" />
      </label>
      <SubmitButton kind="plain" name="intent" value="describe" busy={t("Saving…")}>
        {t("Save alt text")}
      </SubmitButton>
    </Form>
  );
}
