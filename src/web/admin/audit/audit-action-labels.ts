import type { SiteLogEntry } from "#community/moderation";
import { useLogEntryTexts } from "../../groups/manage/log-entry-texts.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useRoleLabels } from "../people/account-labels.ts";

/** Label of each audited action; an action without a label shows its name. */
export function useAuditActionLabels() {
  const t = useTranslate();
  const inGroups = useLogEntryTexts();
  const roles: Record<string, string> = useRoleLabels();
  const words: Record<string, string> = {
    "person.limited": t("restricted"),
    "person.suspended": t("suspended"),
    "person.active": t("lifted the restriction of"),
    "person.approved": t("approved"),
    "person.declined": t("rejected an account"),
    "person.noted": t("added a note on"),
    "person.note-deleted": t("deleted a note on"),
    "person.address-read": t("viewed the email of"),
    "person.photo-removed": t("removed the photo of"),
    "person.header-removed": t("removed the cover of"),
    "token.created": t("created an access token for"),
    "token.revoked": t("revoked an access token of"),
    "report.read": t("viewed a report"),
    "report.address-read": t("viewed the email of a guest"),
    "settings.changed": t("changed site settings"),
    "address.blocked": t("blocked an address"),
    "address.unblocked": t("unblocked an address"),
    "link-domain.added": t("added a link domain"),
    "link-domain.changed": t("changed a link domain"),
    "link-domain.removed": t("removed a link domain"),
    "watched-word.added": t("added a watched word"),
    "watched-word.changed": t("edited a watched word"),
    "watched-word.removed": t("removed a watched word"),
    "watched-word.replaced": t("wrote a watched word, which was replaced"),
    "profile-field.added": t("added a profile field"),
    "profile-field.changed": t("edited a profile field"),
    "profile-field.retired": t("retired a profile field"),
    "profile-field.restored": t("restored a profile field"),
    "announcement.created": t("sent an announcement"),
    "announcement.withdrawn": t("withdrew an announcement"),
    "import.begun": t("started an import"),
    "import.undone": t("undid an import"),
    "profile-field.moved": t("moved a profile field"),
    "role.assigned": t("gave an API role to"),
    "role.revoked": t("revoked an API role from"),
    "role.created": t("created an API role"),
    "role.deleted": t("deleted an API role"),
    "key.shown": t("viewed the server key"),
    "failure.retry": t("retried a failed job"),
    "failure.discard": t("gave up a failed job"),
    "backend.emptied": t("reset the site"),
    "management.called": t("used the management API"),
  };
  return (row: SiteLogEntry) => {
    const { act, details } = row;
    if (act === "person.role-given")
      return t("gave the role “{role}” to", { role: roles[String(details["after"])] ?? "" });
    return words[act] ?? inGroups({ ...row, objectId: row.objectId ?? "" });
  };
}
