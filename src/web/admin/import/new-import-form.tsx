import { Form } from "react-router";
import type { ImportSource } from "#community/import-export";
import { Field, FormErrors, SelectField, SubmitButton, TextField } from "../../ui/index.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { ImportSourceField } from "./import-source-field.tsx";
import { FORMAT_NAMES } from "./import-labels.ts";

/** Archive, format and source of a new import. It is checked first. */
export function NewImportForm({ archives, sources, folder }: { archives: string[]; sources: ImportSource[]; folder: string }) {
  const t = useTranslate();
  return (
    <Form method="post" encType="multipart/form-data" className="panel grid gap-4 p-4">
      <h2 className="font-serif text-large font-semibold">{t("An archive")}</h2>
      <FormErrors />
      <SelectField name="format" label={t("What kind of archive is it?")} required defaultValue="">
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
        label={t("Where does it come from? (optional)")}
        hint={t("Its address, such as https://forum.example.org: for links back, and for the sources that a licence asks for.")}
        type="url"
        inputMode="url"
        maxLength={500}
        dir="ltr"
      />
      <ImportSourceField sources={sources} />
      <Field name="file" label={t("File or zip")} hint={t("200 MB at most.")}>
        {(tie) => <input {...tie} type="file" className="input" />}
      </Field>
      <SelectField
        name="archive"
        label={t("Or one that lies on the server already")}
        hint={
          <Rich
            text="For what is larger, or a folder: put it into <0></0>."
            parts={[
              <code key="folder" dir="ltr">
                {folder}
              </code>,
            ]}
          />
        }
        defaultValue=""
      >
        <option value="">{archives.length === 0 ? t("None lies there.") : t("None")}</option>
        {archives.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <div>
        <SubmitButton busy={t("Sending…")}>{t("Look at it")}</SubmitButton>
      </div>
    </Form>
  );
}
