import type { Case as Reported, ReportedPlace } from "#community/moderation";
import { PersonLink, Prose, Tag, Time } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { GuestReporterName } from "./guest-reporter.tsx";
import { useCategoryLabel } from "../reports/category-labels.ts";
import { EvidenceFiles } from "./evidence-files.tsx";
import { reportedTitle } from "../reports/report-list.tsx";

/** The reason of one report, with the category and law; an appeal and an automatic report have none. */
export function ReportReason({ it, appeal }: { it: Reported["also"][number]; appeal: boolean }) {
  const t = useTranslate();
  const categoryLabel = useCategoryLabel();
  const isByPerson = it.reporter !== null || it.guest !== null;
  return (
    <>
      <p className="mb-2 flex flex-wrap items-center gap-2 text-small text-quiet">
        {it.reporter ? (
          <PersonLink person={it.reporter} />
        ) : it.guest ? (
          <GuestReporterName guest={it.guest} reportId={it.id} />
        ) : (
          <Tag>{t("Automatic")}</Tag>
        )}{" "}
        <Time at={it.at} />
        {!appeal && isByPerson && <Tag>{categoryLabel(it.category)}</Tag>}
        {it.law && <bdi className="break-words">{it.law}</bdi>}
      </p>
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {isByPerson ? it.reason : t("Watched words: {words}", { words: it.reason })}
      </p>
    </>
  );
}

function placeUrl({ kind, id, number }: ReportedPlace): string {
  const post = number ?? undefined;
  if (kind === "discussion") return urls.discussion(id, { post });
  if (kind === "resource") return urls.resource(id, { post });
  return kind === "person" ? urls.person(id) : urls.group(id);
}

/** Current place of the content, linked for people who can see it. */
export function ReportedPlaceLink({
  place: target,
  group,
  appeal,
}: {
  place: ReportedPlace;
  group: Reported["group"];
  appeal: boolean;
}) {
  const t = useTranslate();
  const words = reportedTitle(target);
  return (
    <p className="mb-2 break-words text-small text-quiet">
      {target.open ? (
        <Link to={placeUrl(target)} dir="auto">
          {words}
        </Link>
      ) : (
        <bdi>{words}</bdi>
      )}
      {group && (
        <>
          {" "}
          · <bdi>{group.name}</bdi>
        </>
      )}
      {target.gone && !appeal && <> · {t("The content was removed in the meantime.")}</>}
      {target.hidden && <> · {t("Hidden from others until the report is closed.")}</>}
    </p>
  );
}

type ShownProps = { message: Reported["messages"][number]; appeal: boolean; of: ReportedPlace | null };

/** Reported content with its author; a group's description has no author. */
export function ReportedMessage({ message, appeal, of }: ShownProps) {
  const t = useTranslate();
  return (
    <li
      className={`rounded-panel border p-3 ${message.chosen ? "border-amber bg-amber-soft" : "border-line bg-surface"}`}
    >
      <p className="mb-1 flex flex-wrap items-center gap-2 text-small text-quiet">
        {message.author ? (
          <PersonLink person={message.author} size={24} />
        ) : of?.kind === "group" ? (
          <bdi>{of.title}</bdi>
        ) : (
          t("Former member")
        )}{" "}
        <Time at={message.at} />
        {message.edited && <span>{t("edited")}</span>}
        {message.chosen && !appeal && <span className="font-semibold text-amber">{t("Reported")}</span>}
      </p>
      {message.html ? (
        <Prose html={message.html} className="message-text" />
      ) : (
        <p className="text-quiet">{t("The text is no longer stored.")}</p>
      )}
      <EvidenceFiles files={message.files} />
    </li>
  );
}

/** The removal or decision: who made it, and the reason given to the person concerned. */
export function RemovalDetails({
  removal: { by, reason, at, state, until },
  by: label,
}: {
  removal: NonNullable<Reported["removal"]>;
  by: string;
}) {
  const t = useTranslate();
  return (
    <section aria-label={state ? t("Decision") : t("Reason for the removal")} className="mt-3">
      {state && (
        <p className="font-semibold">
          {state === "suspended" ? t("Suspended") : t("Restricted")}
          {until && (
            <>
              {" · "}
              <Rich text="until <0></0>" parts={{ 0: <Time at={until} /> }} />
            </>
          )}
        </p>
      )}
      <p className="flex flex-wrap items-center gap-2 text-small text-quiet">
        {label} {by ? <PersonLink person={by} size={24} /> : t("Former member")} <Time at={at} />
      </p>
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {reason}
      </p>
    </section>
  );
}
