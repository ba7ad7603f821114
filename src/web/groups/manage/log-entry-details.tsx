import type { Group } from "#community/groups";
import type { GroupLogEntry } from "#community/moderation";
import { Time } from "../../ui/index.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { type GroupAccess, isWholeAccess, readAccess } from "../group-access.ts";
import { useGroupTexts } from "../group-texts.ts";
import { DESCRIPTION_FIELDS } from "./changed-fields.ts";

/** Shows the changed fields or the duration of the action; nothing if its name is enough. */
export function LogEntryDetails({ group, row: { act, details } }: { group: Group; row: GroupLogEntry }) {
  const t = useTranslate();
  const { sentence, visibility } = useGroupTexts();
  switch (act) {
    case "group.changed":
      return <ChangedFields fields={String(details["changed"] ?? "")} nameBefore={details["nameBefore"]} />;
    case "group.access_changed":
    case "group.opened":
      return (
        <AccessDiff
          // An entry of a change to one of them has no others.
          now={{ ...pickAccess(group), ...readAccess(details) }}
          before={accessBefore(details)}
          formatAccess={(access) => sentence({ ...access, invitesBy: group.invitesBy })}
        />
      );
    case "group.opening_scheduled":
      return (
        <Rich
          text="{visibility}, from <0></0>"
          values={{ visibility: visibility[readAccess(details).visibility ?? group.visibility] }}
          parts={{ 0: <Time at={new Date(String(details["at"]))} /> }}
        />
      );
    case "group.banned":
      return details["until"] ? (
        <Rich text="ends <0></0>" parts={{ 0: <Time at={new Date(String(details["until"]))} /> }} />
      ) : (
        t("Indefinitely")
      );
    case "group.picture_changed":
      return details["which"] === "cover" ? t("Cover") : t("Photo");
    default:
      return null;
  }
}

/** Older entries lack the previous values. */
function accessBefore(details: GroupLogEntry["details"]): GroupAccess | null {
  const before = readAccess(details, "Before");
  return isWholeAccess(before) ? before : null;
}

const pickAccess = ({ visibility, joinPolicy, historyPolicy }: Group): GroupAccess => ({
  visibility,
  joinPolicy,
  historyPolicy,
});

function AccessDiff({
  now,
  before,
  formatAccess,
}: {
  now: GroupAccess;
  before: GroupAccess | null;
  formatAccess: (access: GroupAccess) => string;
}) {
  const t = useTranslate();
  return (
    <>
      {formatAccess(now)}
      {before && <span className="block">{t("Before: {what}", { what: formatAccess(before) })}</span>}
    </>
  );
}

function ChangedFields({
  fields,
  nameBefore,
}: {
  fields: string;
  nameBefore: GroupLogEntry["details"][string] | undefined;
}) {
  const t = useTranslate();
  const names: Record<(typeof DESCRIPTION_FIELDS)[number], string> = {
    name: t("Name"),
    purpose: t("Purpose"),
    topic: t("Topic"),
    about: t("About"),
    rules: t("Rules"),
    questions: t("Membership questions"),
    repliesBy: t("Who can reply"),
    startsBy: t("Who can start discussions"),
    eventsBy: t("Who can create events"),
    invitesBy: t("Who can invite"),
  };
  const changed = DESCRIPTION_FIELDS.filter((field) => fields.split(",").includes(field));
  // Older entries list all fields of the form as changed, even if only some were.
  if (DESCRIPTION_FIELDS.every((field) => changed.includes(field) || field === "repliesBy")) return null;
  return (
    <>
      {changed.map((field) => names[field]).join(" · ")}
      {nameBefore && <span className="block">{t("Before: {what}", { what: String(nameBefore) })}</span>}
    </>
  );
}
