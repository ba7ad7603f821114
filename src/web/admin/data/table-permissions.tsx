import { Form } from "react-router";
import { entriesOf } from "#platform/objects";
import { ActionForm } from "../../people/action-form.tsx";
import { CheckField, SelectField, SubmitButton, TextField } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { TableData } from "./table-page.tsx";

/** Permissions of a data table by role, and its deletion. */
export function TablePermissions({ data: { grid, roles, table } }: { data: TableData }) {
  const t = useTranslate();
  const acts = {
    find: t("Read", undefined, "verb"),
    create: t("Add"),
    update: t("Edit"),
    remove: t("Remove"),
  };
  return (
    <section aria-labelledby="access" className="border-t border-line py-6">
      <h2 id="access" className="mb-1 font-serif text-large font-semibold">
        {t("Permissions")}
      </h2>
      <p className="mb-3 text-small text-quiet">
        {t("Roles without an entry use the default of all tables.")}
      </p>
      <ul>
        {Object.entries(grid).map(([role, can]) => (
          <li
            key={role}
            className="flex flex-wrap items-center justify-between gap-2 border-b border-line py-2"
          >
            <span className="min-w-0">
              <span dir="ltr" className="font-semibold">
                {role}
              </span>{" "}
              <span className="text-small text-quiet">
                {entriesOf(acts)
                  .flatMap(([act, word]) => (can[act] ? [word] : []))
                  .join(" · ") || t("Nothing")}
              </span>
            </span>
            <ActionForm
              intent="drop-access"
              fields={{ role }}
              busy="…"
              label={t("Reset for {role}", { role })}
            >
              {t("Reset")}
            </ActionForm>
          </li>
        ))}
      </ul>
      <Form method="post" className="mt-4 grid max-w-xl gap-3">
        <input type="hidden" name="intent" value="access" />
        <SelectField name="role" label={t("Role")}>
          {roles.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </SelectField>
        {Object.entries(acts).map(([act, word]) => (
          <CheckField key={act} name={act} label={word} />
        ))}
        <div>
          <SubmitButton busy={t("Saving…")}>{t("Save permissions of this role")}</SubmitButton>
        </div>
      </Form>
      <details className="mt-8">
        <summary className="cursor-pointer text-red">{t("Delete table")}</summary>
        <Form method="post" className="mt-3 grid max-w-xl gap-3">
          <input type="hidden" name="intent" value="drop-table" />
          <TextField
            name="confirm"
            label={t("Type the name of the table: {name}", { name: table.name })}
            hint={t("The table and all its records are deleted. This cannot be undone.")}
            required
            maxLength={64}
            dir="ltr"
            autoComplete="off"
          />
          <div>
            <SubmitButton busy="…">{t("Delete table")}</SubmitButton>
          </div>
        </Form>
      </details>
    </section>
  );
}
