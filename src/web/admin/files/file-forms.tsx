import { Form } from "react-router";
import { useFormatSize } from "../../resources/library/resource-kinds.tsx";
import { CheckField, Field, FormErrors, SubmitButton, TextField, Time } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { FilesData } from "./files-page.tsx";

/** Forms to create something in a directory. */
export function NewDirectoryEntryForms() {
  const t = useTranslate();
  return (
    <section aria-labelledby="new" className="mt-8 border-t border-line py-6">
      <h2 id="new" className="mb-3 font-serif text-large font-semibold">
        {t("Upload")}
      </h2>
      <div className="grid max-w-xl gap-6">
        <Form method="post" encType="multipart/form-data" className="grid gap-3">
          <FormErrors />
          <CheckField name="overwrite" label={t("Replace files with the same name")} />
          <Field name="file" label={t("Files")} hint={t("At most 20 at a time.")}>
            {(tie) => <input {...tie} type="file" multiple required className="input" />}
          </Field>
          <div>
            <SubmitButton busy={t("Sending…")}>{t("Upload files")}</SubmitButton>
          </div>
        </Form>
        <Form method="post" className="grid gap-3">
          <input type="hidden" name="intent" value="make-directory" />
          <TextField
            name="directory"
            label={t("New directory")}
            required
            maxLength={250}
            autoComplete="off"
          />
          <div>
            <SubmitButton busy={t("Saving…")}>{t("Create directory")}</SubmitButton>
          </div>
        </Form>
      </div>
    </section>
  );
}

/** Actions on the file or directory itself; none on the root. */
export function FileForms({ data: { path, node, publicUrl } }: { data: FilesData }) {
  const t = useTranslate();
  const size = useFormatSize();
  if (!node) return null;
  return (
    <section aria-labelledby="itself" className="border-t border-line py-6">
      <h2 id="itself" className="mb-3 font-serif text-large font-semibold">
        {node.kind === "file" ? t("This file") : t("This directory")}
      </h2>
      {node.kind === "file" && (
        <p className="mb-4 text-small text-quiet">
          {size(node.size)} · <bdi dir="ltr">{node.mime}</bdi> · <Time at={node.updatedAt} />
        </p>
      )}
      {publicUrl && (
        <p className="mb-4 break-all">
          <a href={publicUrl}>{t("Open at the public address")}</a>
        </p>
      )}
      <div className="grid max-w-xl gap-6">
        <Form method="post" className="grid gap-3">
          <input type="hidden" name="intent" value="rename" />
          <TextField
            name="name"
            label={t("Name")}
            defaultValue={node.name}
            required
            maxLength={250}
            autoComplete="off"
          />
          <div>
            <SubmitButton busy={t("Saving…")}>{t("Rename")}</SubmitButton>
          </div>
        </Form>
        <Form method="post" className="grid gap-3">
          <input type="hidden" name="intent" value="move" />
          <TextField
            name="to"
            label={t("Destination")}
            hint={t(
              "Enter a path such as /pictures/2026. An existing directory becomes the parent; otherwise " +
                "the path is the new name.",
            )}
            defaultValue={`/${path.join("/")}`}
            required
            maxLength={2000}
            dir="ltr"
            autoComplete="off"
          />
          <div>
            <SubmitButton busy={t("Saving…")}>{t("Move")}</SubmitButton>
          </div>
        </Form>
        <details>
          <summary className="cursor-pointer text-red">
            {node.kind === "file" ? t("Delete file") : t("Delete directory")}
          </summary>
          <Form method="post" className="mt-3 grid gap-3">
            <input type="hidden" name="intent" value="remove" />
            <p className="text-small text-quiet">
              {node.kind === "file"
                ? t("This cannot be undone.")
                : t("The directory and all its content are deleted. This cannot be undone.")}
            </p>
            <div>
              <SubmitButton busy="…">{t("Delete permanently")}</SubmitButton>
            </div>
          </Form>
        </details>
      </div>
    </section>
  );
}
