import { Form, Link } from "react-router";
import { ActionForm } from "../../people/action-form.tsx";
import { SubmitButton } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { RecordData } from "./record-page.tsx";

/** Related records with links, and a form to add one. */
export function RecordRelations({
  relation: { name, toTable, relationshipType, isOwn, records },
}: {
  relation: RecordData["relations"][number];
}) {
  const t = useTranslate();
  const field = `child-${name}`;
  return (
    <section aria-labelledby={`relation-${name}`} className="mt-8 border-t border-line py-6">
      <h2 id={`relation-${name}`} className="mb-3 font-serif text-large font-semibold" dir="ltr">
        {name}{" "}
        <span className="text-small font-normal text-quiet">
          {relationshipType === "ONE_TO_ONE" ? "1:1" : "1:N"} → {toTable}
        </span>
      </h2>
      {records.length === 0 && <p className="text-quiet">{t("No related records.")}</p>}
      <ul>
        {records.map(({ id, text }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-2 border-b border-line py-2"
          >
            <span className="min-w-0 break-words" dir="auto">
              {isOwn ? <Link to={urls.record(toTable, { id })}>{text || id}</Link> : text || id}{" "}
              {text && (
                <span className="text-small text-quiet" dir="ltr">
                  {id}
                </span>
              )}
            </span>
            <ActionForm
              intent="unlink"
              fields={{ relation: name, child: id }}
              busy="…"
              label={t("Remove {id} from {name}", { id, name })}
            >
              {t("Remove")}
            </ActionForm>
          </li>
        ))}
      </ul>
      <Form method="post" className="mt-4 flex max-w-xl flex-wrap items-end gap-3">
        <input type="hidden" name="intent" value="link" />
        <input type="hidden" name="relation" value={name} />
        <div className="field min-w-0 grow">
          <label htmlFor={field}>{t("objectId of the record to add")}</label>
          <input
            id={field}
            name="child"
            required
            maxLength={250}
            dir="ltr"
            autoComplete="off"
            className="input"
          />
        </div>
        <SubmitButton busy={t("Saving…")}>{t("Add")}</SubmitButton>
      </Form>
    </section>
  );
}

/** Deletes a record after confirmation. */
export function RemoveRecord() {
  const t = useTranslate();
  return (
    <details className="mt-8 border-t border-line py-6">
      <summary className="cursor-pointer text-red">{t("Delete record")}</summary>
      <p className="mt-2 mb-3">{t("The record and its relations are deleted. This cannot be undone.")}</p>
      <ActionForm intent="remove" fields={{}} kind="danger" busy="…">
        {t("Delete permanently")}
      </ActionForm>
    </details>
  );
}
