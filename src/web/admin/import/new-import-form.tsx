import { Form } from "react-router";
import type { ImportSource } from "#community/import-export";
import { Field, FormErrors, SelectField, SubmitButton, TextField } from "../../ui/index.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { ImportSourceField } from "./import-source-field.tsx";
import { FORMAT_NAMES } from "./import-labels.ts";

/** Form for a new import: archive, format and source. The archive is checked before it is imported. */
export function NewImportForm({
  archives,
  sources,
  folder,
}: {
  archives: string[];
  sources: ImportSource[];
  folder: string;
}) {
  const t = useTranslate();
  return (
    <Form method="post" encType="multipart/form-data" className="panel grid gap-4 p-4">
      <h2 className="font-serif text-large font-semibold">{t("Archive", undefined, "noun")}</h2>
      <FormErrors />
      <SelectField name="format" label={t("Kind of archive")} required defaultValue="">
        <option value="" disabled>
          {t("Choose…")}
        </option>
        {Object.entries(FORMAT_NAMES).map(([format, name]) => (
          <option key={format} value={format}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        name="site"
        label={t("Source (optional)")}
        hint={t(
          "Address of the old site, such as https://forum.example.org. Used for redirects, and for " +
            "attribution where a licence requires it.",
        )}
        type="url"
        inputMode="url"
        maxLength={500}
        dir="ltr"
      />
      <ImportSourceField sources={sources} />
      <Field name="file" label={t("File or zip")} hint={t("At most 200 MB.")}>
        {(tie) => <input {...tie} type="file" className="input" />}
      </Field>
      <SelectField
        name="archive"
        label={t("Or choose one on the server")}
        hint={
          <Rich
            text="Put larger archives or folders into <0></0>."
            parts={{
              0: (
                <code key="folder" dir="ltr">
                  {folder}
                </code>
              ),
            }}
          />
        }
        defaultValue=""
      >
        <option value="">{archives.length === 0 ? t("No files.") : t("None")}</option>
        {archives.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <div>
        <SubmitButton busy={t("Sending…")}>{t("Preview")}</SubmitButton>
      </div>
    </Form>
  );
}
