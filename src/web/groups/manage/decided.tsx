import { Fragment } from "react";
import type { PersonCard } from "#community/common";
import type { DecidedRequest, Group } from "#community/groups";
import { PersonRow } from "../../people/person-row.tsx";
import { Empty, NextPage, Time } from "../../ui/index.ts";
import { Link } from "../../ui/link.tsx";
import { urls } from "../../urls.ts";
import { Rich, useWords } from "../../words/index.ts";
import { Answers, LINES_WITH_ANSWERS } from "./answers.tsx";
import type { ManageContent } from "./manage-data.ts";

type Decided = NonNullable<ManageContent<"requests">["decided"]>;

/** Decided join requests: outcome, moderator, date and reason. */
export function DecidedRequests({ group, decided: { rows, next } }: { group: Group; decided: Decided }) {
  const t = useWords();
  return (
    <>
      <p className="mb-2 text-small text-quiet">
        {t("A decided request is kept for two years, or until whoever asked leaves this community.")}
      </p>
      {rows.length === 0 && (
        <Empty title={t("Nothing has been decided yet.")}>{t("Requests that were answered or taken back appear here.")}</Empty>
      )}
      <ul className={LINES_WITH_ANSWERS}>
        {rows.map((request) => (
          <Fragment key={request.id}>
            <PersonRow person={request.person} line={<Outcome request={request} />} note={request.reason} />
            <Answers answers={request.answers} />
          </Fragment>
        ))}
      </ul>
      <NextPage to={next && urls.manageGroup(group.slug, "requests", { view: "decided", after: next })} />
    </>
  );
}

function Outcome({ request: { outcome, askedAt, decidedAt, decidedBy } }: { request: DecidedRequest }) {
  const asked = <Time key="asked" at={askedAt} />;
  const decided = <Time key="decided" at={decidedAt} />;
  if (outcome === "withdrawn") return <Rich text="asked <0></0>, taken back <1></1>" parts={[asked, decided]} />;
  if (!decidedBy) return <Rich text="asked <0></0>, came in by another way <1></1>" parts={[asked, decided]} />;
  const parts = [asked, decided, <Decider key="by" person={decidedBy} />];
  if (outcome === "member") return <Rich text="asked <0></0>, let in <1></1> by <2></2>" parts={parts} />;
  if (outcome === "declined") return <Rich text="asked <0></0>, declined <1></1> by <2></2>" parts={parts} />;
  return <Rich text="asked <0></0>, kept out <1></1> by <2></2>" parts={parts} />;
}

const Decider = ({ person }: { person: PersonCard }) => (
  <Link to={urls.person(person.id)} dir="auto">
    {person.name}
  </Link>
);
