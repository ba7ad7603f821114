import type { ReactNode } from "react";
import { LIMITS, type ResourceKind } from "#community/rules";
import { SelectField, TextArea, TextField } from "../../ui/index.ts";
import { LOCALES, useTranslate } from "../../i18n/index.ts";

/** Height of the field for a document's text. */
const TALL_FIELD = { minHeight: "24rem" };
/** Height of the field for a sentence. */
const SHORT_FIELD = { minHeight: "4rem" };

type Values = Partial<Record<"url" | "title" | "body" | "why" | "tags" | "language" | "licence", string>>;
/** `children` are further fields, shown after the reason: the destination or the editors. */
type Props = { kind: ResourceKind; values: Values; children?: ReactNode };

/** Fields for the details of a resource, both new and existing. */
export function ResourceFields({ kind, values, children }: Props) {
  const t = useTranslate();
  const isLink = kind === "link" || kind === "video";
  return (
    <>
      {isLink && (
        <TextField
          name="url"
          type="url"
          inputMode="url"
          label={t("Address")}
          placeholder="https://"
          required
          maxLength={LIMITS.url}
          autoComplete="off"
          defaultValue={values.url}
        />
      )}
      <TextField
        name="title"
        label={t("Title")}
        required
        maxLength={200}
        dir="auto"
        autoComplete="off"
        defaultValue={values.title}
      />
      {kind === "document" && (
        <TextArea
          name="body"
          markdown
          label={t("Text")}
          required
          style={TALL_FIELD}
          most={LIMITS.document}
          dir="auto"
          hint={t("Markdown: ## for headings, * for lists, **bold**. Headings become the outline.")}
          defaultValue={values.body}
        />
      )}
      <TextArea
        name="why"
        label={t("Why it's useful")}
        rows={2}
        style={SHORT_FIELD}
        maxLength={LIMITS.why}
        dir="auto"
        hint={t("One sentence for other members.")}
        defaultValue={values.why}
      />
      {children}
      <TextField
        name="tags"
        label={t("Tags")}
        maxLength={150}
        autoComplete="off"
        hint={t("Up to five, separated by commas.")}
        defaultValue={values.tags}
      />
      <div className="grid gap-5 phone:grid-cols-2">
        <SelectField name="language" label={t("Language")} defaultValue={values.language}>
          {Object.entries(LOCALES).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
          {values.language && !(values.language in LOCALES) && (
            <option value={values.language}>{values.language}</option>
          )}
        </SelectField>
        <TextField
          name="licence"
          label={isLink ? t("Licence or source (optional)") : t("Licence (optional)")}
          maxLength={80}
          autoComplete="off"
          placeholder="CC BY-SA 4.0"
          defaultValue={values.licence}
        />
      </div>
    </>
  );
}
