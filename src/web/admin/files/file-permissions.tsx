import { Form } from "react-router";
import { ActionForm } from "../../people/action-form.tsx";
import { SelectField, SubmitButton, TextField } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { FilesData } from "./files-page.tsx";

/** Permissions granted and denied at a path and below it. */
export function FilePermissions({ data: { grants, roles, path } }: { data: FilesData }) {
  const t = useTranslate();
  const acts = { READ: t("Read", undefined, "verb"), WRITE: t("Write"), DELETE: t("Remove") };
  const everybody = (kind: string) => (kind === "user" ? t("All users") : t("All roles"));
  return (
    <section aria-labelledby="access" className="border-t border-line py-6">
      <h2 id="access" className="mb-1 font-serif text-large font-semibold">
        {t("Permissions")}
      </h2>
      <p className="mb-3 text-small text-quiet">
        {path.length === 0
          ? t(
              "Applies to folders and files without their own permissions. Without a permission here, " +
                "the site settings apply.",
            )
          : t(
              "Applies to this folder and its subfolders. Without a permission here, the permission of " +
                "a parent folder applies.",
            )}
      </p>
      <ul>
        {grants.map(({ act, kind, subject, allowed }) => (
          <li
            key={`${act} ${kind} ${subject}`}
            className="flex flex-wrap items-center justify-between gap-2 border-b border-line py-2"
          >
            <span className="min-w-0 break-all">
              {allowed ? t("Granted") : t("Denied")}: {acts[act]} ·{" "}
              {subject === "*" ? everybody(kind) : <bdi dir="ltr">{subject}</bdi>}
            </span>
            <ActionForm
              intent="delete-permission"
              fields={{ act, kind, subject }}
              busy="…"
              label={t("Revoke: {act}, {who}", {
                act: acts[act],
                who: subject === "*" ? everybody(kind) : subject,
              })}
            >
              {t("Revoke")}
            </ActionForm>
          </li>
        ))}
      </ul>
      <Form method="post" className="mt-4 grid max-w-xl gap-3">
        <input type="hidden" name="intent" value="save-permission" />
        <SelectField name="allowed" label={t("Setting")}>
          <option value="yes">{t("Granted")}</option>
          <option value="no">{t("Denied")}</option>
        </SelectField>
        <SelectField name="act" label={t("Permission")}>
          {Object.entries(acts).map(([act, word]) => (
            <option key={act} value={act}>
              {word}
            </option>
          ))}
        </SelectField>
        <SelectField name="kind" label={t("For a role or a user")}>
          <option value="role">{t("Role")}</option>
          <option value="user">{t("User")}</option>
        </SelectField>
        <TextField
          name="who"
          label={t("Who")}
          hint={t("A role, the id of a user, or * for everyone. Roles: {roles}.", {
            roles: roles.join(", "),
          })}
          required
          maxLength={250}
          dir="ltr"
          autoComplete="off"
        />
        <div>
          <SubmitButton busy={t("Saving…")}>{t("Save permission")}</SubmitButton>
        </div>
      </Form>
    </section>
  );
}
