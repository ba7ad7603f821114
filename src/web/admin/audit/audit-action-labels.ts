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
    "person.limited": t("limited"),
    "person.suspended": t("suspended"),
    "person.active": t("lifted the limits of"),
    "person.approved": t("let in"),
    "person.declined": t("turned away an account"),
    "person.address-read": t("asked for the address of"),
    "person.photo-taken": t("took away the photo of"),
    "person.header-taken": t("took away the header of"),
    "report.read": t("looked at a report"),
    "report.upheld": t("found a report right"),
    "report.rejected": t("found nothing wrong in what was reported"),
    "settings.changed": t("changed settings of the place"),
    "profile-field.added": t("added a profile field"),
    "profile-field.changed": t("changed a profile field"),
    "profile-field.retired": t("retired a profile field"),
    "profile-field.brought-back": t("brought a profile field back"),
    "announcement.made": t("made an announcement"),
    "announcement.taken-back": t("took an announcement back"),
    "import.begun": t("began an import"),
    "import.undone": t("undid an import"),
    "profile-field.moved": t("moved a profile field"),
    "role.given": t("gave a role for programs to"),
    "role.taken": t("took a role for programs from"),
    "role.made": t("made a role for programs"),
    "role.dropped": t("dropped a role for programs"),
    "key.shown": t("had the server key shown"),
    "failure.again": t("tried again what had failed"),
    "failure.give-up": t("gave up what had failed"),
    "backend.emptied": t("emptied the place"),
    "management.called": t("managed the place by a call"),
  };
  return (row: SiteLogEntry) => {
    const { act, details } = row;
    if (act === "person.role-given") return t("gave the role “{role}” to", { role: roles[String(details["after"])] ?? "" });
    return words[act] ?? inGroups({ ...row, objectId: row.objectId ?? "" });
  };
}
