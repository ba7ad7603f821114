import type { SiteLogEntry } from "#community/moderation";
import { PersonLink, Time } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { useAuditActionLabels } from "./audit-action-labels.ts";
import { ChangedSettings } from "./changed-settings.tsx";

/** One audit entry: who did what, to whom or what, in which group, when and why. */
export function AuditEntry({ row }: { row: SiteLogEntry }) {
  const t = useTranslate();
  const said = useAuditActionLabels();
  const to = auditTargetUrl(row);
  const { until } = row.details;
  return (
    <li className="border-b border-line py-3 last:border-b-0" data-item>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {row.by ? (
          <PersonLink person={row.by} size={24} />
        ) : (
          <span className="text-quiet">{t("Someone")}</span>
        )}
        <span>{said(row)}</span>
        {row.whom && <PersonLink person={row.whom} size={24} />}
        {row.kind === "person" && !row.whom && <span className="text-quiet">{t("Former member")}</span>}
        {to && <Link to={to}>{t("Open", undefined, "verb")}</Link>}
        <span className="ms-auto text-small text-quiet">
          <Time at={row.at} />
        </span>
      </p>
      {row.kind === "settings" && (
        <div className="mt-1 text-small break-words text-quiet">
          <ChangedSettings row={row} />
        </div>
      )}
      <p className="mt-1 text-small break-words text-quiet empty:hidden">
        <AuditDetails row={row} />{" "}
        {until && <Rich text="ends <0></0>" parts={{ 0: <Time at={new Date(String(until))} /> }} />}
      </p>
      {row.reason && (
        <p dir="auto" className="mt-1 break-words text-quiet">
          {row.reason}
        </p>
      )}
    </li>
  );
}

/** The group or the object of the API that the entry is about. */
function AuditDetails({ row: { kind, group, objectId, details } }: { row: SiteLogEntry }) {
  if (group)
    return (
      <Link to={urls.group(group.slug)} dir="auto">
        {group.name}
      </Link>
    );
  if (kind === "blocked-address" || kind === "link-domain") return <bdi>{String(details["value"])}</bdi>;
  if (kind === "watched-word") return <bdi>{`“${String(details["phrase"])}”`}</bdi>;
  if (!objectId) return null;
  return kind === "backend" || kind === "role" ? <code dir="ltr">{objectId}</code> : null;
}

/** URL of the entry's object. */
function auditTargetUrl({
  kind,
  objectId,
  details: { discussionId, resourceId },
}: SiteLogEntry): string | null {
  if (!objectId) return null;
  if (kind === "discussion") return urls.discussion(objectId);
  if (kind === "resource") return urls.resource(objectId);
  if (kind === "report") return urls.report(objectId);
  if (kind === "case") return urls.case(objectId);
  if (kind === "import") return urls.importRun(objectId);
  if (kind === "announcement") return urls.announcement(objectId);
  if (kind !== "post") return null;
  return discussionId
    ? urls.discussion(String(discussionId))
    : resourceId
      ? urls.resource(String(resourceId))
      : null;
}
