import { Fragment } from "react";
import type { PersonCard } from "#community/common";
import type { DecidedRequest, Group } from "#community/groups";
import { PersonRow } from "../../people/person-row.tsx";
import { EmptyState, NextPageLink, Time } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { RequestAnswers, ROWS_WITH_ANSWERS } from "./request-answers.tsx";
import type { ManageContent } from "./manage-group-data.ts";

type DecidedContent = NonNullable<ManageContent<"requests">["decided"]>;

/** Join requests that were decided: outcome, moderator, date and reason. */
export function DecidedRequests({
  group,
  decided: { rows, next },
}: {
  group: Group;
  decided: DecidedContent;
}) {
  const t = useTranslate();
  return (
    <>
      <p className="mb-2 text-small text-quiet">
        {t("Decided requests are kept for two years, or until the person leaves the community.")}
      </p>
      {rows.length === 0 && (
        <EmptyState title={t("No decided requests.")}>
          {t("Requests that were answered or withdrawn appear here.")}
        </EmptyState>
      )}
      <ul className={ROWS_WITH_ANSWERS}>
        {rows.map((request) => (
          <Fragment key={request.id}>
            <PersonRow
              person={request.person}
              line={<RequestOutcome request={request} />}
              note={request.reason}
            />
            <RequestAnswers answers={request.answers} />
          </Fragment>
        ))}
      </ul>
      <NextPageLink to={next && urls.manageGroup(group.slug, "requests", { view: "decided", after: next })} />
    </>
  );
}

function RequestOutcome({
  request: { outcome, askedAt, decidedAt, decidedBy },
}: {
  request: DecidedRequest;
}) {
  const asked = <Time key="asked" at={askedAt} />;
  const decided = <Time key="decided" at={decidedAt} />;
  if (outcome === "withdrawn")
    return <Rich text="requested <0></0>, withdrawn <1></1>" parts={{ 0: asked, 1: decided }} />;
  if (!decidedBy)
    return <Rich text="requested <0></0>, joined another way <1></1>" parts={{ 0: asked, 1: decided }} />;
  const parts = { 0: asked, 1: decided, 2: <DeciderLink key="by" person={decidedBy} /> };
  if (outcome === "member")
    return <Rich text="requested <0></0>, approved <1></1> by <2></2>" parts={parts} />;
  if (outcome === "declined")
    return <Rich text="requested <0></0>, rejected <1></1> by <2></2>" parts={parts} />;
  return <Rich text="requested <0></0>, banned <1></1> by <2></2>" parts={parts} />;
}

const DeciderLink = ({ person }: { person: PersonCard }) => (
  <Link to={urls.person(person.id)} dir="auto">
    {person.name}
  </Link>
);
