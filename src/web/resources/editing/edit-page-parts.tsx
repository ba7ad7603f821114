import { LIMITS } from "#community/rules";
import { FormErrors, PageHeader, TextField } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Header of a page that edits a resource, with the errors of the rejected form. */
export function EditPageHead({
  title,
  resource,
}: {
  title: string;
  resource: { id: string; title: string };
}) {
  return (
    <>
      <PageHeader
        title={title}
        lead={
          <Link to={urls.resource(resource.id)} dir="auto">
            {resource.title}
          </Link>
        }
      />
      <div className="mb-5 empty:hidden">
        <FormErrors />
      </div>
    </>
  );
}

export function VersionNote() {
  const t = useTranslate();
  return (
    <TextField
      name="note"
      label={t("Changes (optional)")}
      hint={t("Shown with this version in the history.")}
      maxLength={LIMITS.versionNote}
      dir="auto"
      autoComplete="off"
    />
  );
}

/** Field for the reason, for people who edit another person's resource. */
export function ChangeReasonField() {
  const t = useTranslate();
  return (
    <TextField
      name="reason"
      label={t("Reason")}
      hint={t("The owner can read the reason.")}
      required
      maxLength={LIMITS.reason}
      dir="auto"
      autoComplete="off"
    />
  );
}
