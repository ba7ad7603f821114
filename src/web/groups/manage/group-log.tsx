import type { Group } from "#community/groups";
import type { GroupLogEntry } from "#community/moderation";
import { EmptyState, NextPageLink, PersonLink, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { LogEntryDetails } from "./log-entry-details.tsx";
import { useLogEntryTexts } from "./log-entry-texts.ts";
import type { ManageContent } from "./manage-group-data.ts";
import { Link } from "../../ui/navigation/link.tsx";

/** Log of the moderators' actions: who did what to whom, when and why. */
export function GroupLog({
  group,
  content: { rows, next },
}: {
  group: Group;
  content: ManageContent<"log">;
}) {
  const t = useTranslate();
  return (
    <>
      <h2 className="sr-only">{t("Log")}</h2>
      {rows.length === 0 && (
        <EmptyState title={t("No entries.")}>{t("Actions of moderators in this group.")}</EmptyState>
      )}
      <ol>
        {rows.map((row) => (
          <LogRow key={row.id} group={group} row={row} />
        ))}
      </ol>
      {rows.length > 0 && (
        <p className="mt-3 text-small text-quiet">{t("Entries are kept for two years.")}</p>
      )}
      <NextPageLink to={next && urls.manageGroup(group.slug, "log", { after: next })} />
    </>
  );
}

function LogRow({ group, row }: { group: Group; row: GroupLogEntry }) {
  const t = useTranslate();
  const entryTexts = useLogEntryTexts();
  const to = subjectUrl(row);
  return (
    <li className="border-b border-line py-3 last:border-b-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {row.by ? (
          <PersonLink person={row.by} size={24} />
        ) : (
          <span className="text-quiet">{t("Someone")}</span>
        )}
        <span>{entryTexts(row)}</span>
        {row.whom && <PersonLink person={row.whom} size={24} />}
        {to && <Link to={to}>{t("Open", undefined, "verb")}</Link>}
        <span className="ms-auto text-small text-quiet">
          <Time at={row.at} />
        </span>
      </p>
      <p className="mt-1 text-small text-quiet empty:hidden">
        <LogEntryDetails group={group} row={row} />
      </p>
      {row.reason && (
        <p dir="auto" className="mt-1 break-words text-quiet">
          {row.reason}
        </p>
      )}
    </li>
  );
}

/** Address of the discussion or resource that the action is about. */
function subjectUrl({ kind, objectId, details: { discussionId, resourceId } }: GroupLogEntry): string | null {
  if (kind === "discussion") return urls.discussion(objectId);
  if (kind === "resource") return urls.resource(objectId);
  if (kind === "report" || kind === "case") return urls.case(objectId);
  if (discussionId) return urls.discussion(String(discussionId));
  return resourceId ? urls.resource(String(resourceId)) : null;
}
