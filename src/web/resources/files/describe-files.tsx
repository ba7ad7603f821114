import { Form } from "react-router";
import { LIMITS, type Visibility } from "#community/rules";
import type { UnusedUpload } from "#community/uploads";
import { Notice, SelectField, SubmitButton, TextField } from "../../ui/index.ts";
import { LOCALES, useTranslate } from "../../i18n/index.ts";
import { useFormatSize } from "../library/resource-kinds.tsx";
import { AudienceField } from "../editing/new-resource-form.tsx";

type Props = {
  files: UnusedUpload[];
  groups: { id: string; name: string; visibility: Visibility; membersCount: number }[];
  chosen: string;
  forEveryone: boolean;
  locale: string;
};

/**
 * Form with the details of uploaded files: title and reason for each file, all other fields shared by all
 * files.
 */
export function DescribeFiles({ files, groups, chosen, forEveryone, locale }: Props) {
  const t = useTranslate();
  return (
    <Form method="post" className="mt-5 grid gap-5">
      {files.map((file) => (
        <FileDescription key={file.id} file={file} />
      ))}
      <AudienceField groups={groups} chosen={chosen} forEveryone={forEveryone} />
      <TextField
        name="tags"
        label={t("Tags")}
        maxLength={150}
        autoComplete="off"
        hint={t("Up to five, separated by commas.")}
      />
      <div className="grid gap-5 phone:grid-cols-2">
        <SelectField name="language" label={t("Language")} defaultValue={locale}>
          {Object.entries(LOCALES).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          name="licence"
          label={t("Licence (optional)")}
          maxLength={80}
          autoComplete="off"
          placeholder="CC BY-SA 4.0"
        />
      </div>
      <div>
        <SubmitButton name="intent" value="keep" busy={t("Adding…")}>
          {t("Add to the library")}
        </SubmitButton>
      </div>
    </Form>
  );
}

function FileDescription({ file }: { file: UnusedUpload }) {
  const t = useTranslate();
  const size = useFormatSize();
  return (
    <fieldset className="panel grid gap-4 p-4">
      <legend className="px-1 font-semibold break-all" dir="auto">
        {file.fileName}
      </legend>
      <p className="flex flex-wrap items-center justify-between gap-2 text-small text-quiet">
        {size(file.size)}
        <button
          name="drop"
          value={file.id}
          formNoValidate
          className="button"
          data-kind="quiet"
          aria-label={t("Remove: {name}", { name: file.fileName })}
        >
          {t("Remove")}
        </button>
      </p>
      {file.state === "scanning" && (
        <Notice>{t("This file is being scanned. You can add it now; it opens after the scan.")}</Notice>
      )}
      <input type="hidden" name="uploadId[]" value={file.id} />
      <TextField
        name={`title-${file.id}`}
        label={t("Title")}
        required
        maxLength={200}
        dir="auto"
        autoComplete="off"
        defaultValue={file.fileName.replace(/\.[^.]+$/, "").replace(/[_]+/g, " ")}
      />
      <TextField
        name={`why-${file.id}`}
        label={t("Why it's useful")}
        maxLength={LIMITS.why}
        dir="auto"
        autoComplete="off"
        hint={t("One sentence for other members.")}
      />
    </fieldset>
  );
}
