import { Form } from "react-router";
import type { BannedPerson } from "#community/groups";
import { LIMITS } from "#community/rules";
import { ActionForm } from "../../people/action-form.tsx";
import { PersonRow } from "../../people/person-row.tsx";
import { Menu, NextPageLink, SubmitButton, Time } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { ROWS_WITH_ANSWERS } from "./request-answers.tsx";

const hasOpenAppeal = ({ appeal }: BannedPerson) => appeal !== null && appeal.declinedAt === null;

/** Banned people with an open appeal, listed before the others. */
export function PeopleWithAppeals({ banned }: { banned: BannedPerson[] }) {
  const t = useTranslate();
  return (
    <BannedList
      id="asks-back"
      title={t("Ban appeals")}
      people={banned.filter(hasOpenAppeal)}
      className="mb-8"
    />
  );
}

/** Other banned people, with reason and end of the ban; `more` is the address of the next page. */
export function BannedPeople({ banned, more }: { banned: BannedPerson[]; more: string | null }) {
  const t = useTranslate();
  return (
    <>
      <BannedList
        id="kept-out"
        title={t("Banned")}
        people={banned.filter((it) => !hasOpenAppeal(it))}
        className="mt-8"
      />
      <NextPageLink to={more} />
    </>
  );
}

type BannedListProps = { id: string; title: string; people: BannedPerson[]; className: string };

const BannedList = ({ id, title, people, className }: BannedListProps) =>
  people.length > 0 && (
    <section aria-labelledby={id} className={className}>
      <h2 id={id} className="mb-1 text-large font-semibold">
        {title}
      </h2>
      <ul className={ROWS_WITH_ANSWERS}>
        {people.map((it) => (
          <BannedPersonRow key={it.person.id} it={it} />
        ))}
      </ul>
    </section>
  );

function BannedPersonRow({ it: { person, reason, until, by, appeal, canDecline } }: { it: BannedPerson }) {
  const t = useTranslate();
  return (
    <>
      <PersonRow
        person={person}
        line={
          <>
            {until ? <Rich text="ends <0></0>" parts={{ 0: <Time at={until} /> }} /> : t("Indefinitely")}
            {by && (
              <>
                {" · "}
                <Rich text="by <0></0>" parts={{ 0: <Link to={urls.person(by.id)}>{by.name}</Link> }} />
              </>
            )}
          </>
        }
        note={reason}
        actions={
          <>
            <ActionForm
              intent="lift-ban"
              fields={{ personId: person.id }}
              kind={canDecline ? "primary" : "plain"}
              busy={t("Saving…")}
              label={t("Unban: {name}", { name: person.name })}
            >
              {t("Unban")}
            </ActionForm>
            {canDecline && <DeclineAppeal person={person} />}
          </>
        }
      />
      {appeal && <BanAppeal appeal={appeal} canDecline={canDecline} />}
    </>
  );
}

/** An appeal and its answer, in a row below the person's own. */
function BanAppeal({
  appeal: { text, askedAt, answer, declinedAt },
  canDecline,
}: {
  appeal: NonNullable<BannedPerson["appeal"]>;
  canDecline: boolean;
}) {
  const t = useTranslate();
  return (
    <li className="border-b border-line pb-4 ps-15 last:border-b-0" data-answers>
      <p className="text-small text-quiet">
        <Rich text="appealed <0></0>" parts={{ 0: <Time at={askedAt} /> }} />
      </p>
      <p dir="auto" className="max-w-measure break-words whitespace-pre-line">
        {text}
      </p>
      {declinedAt && (
        <>
          <p className="mt-2 text-small text-quiet">
            <Rich text="rejected <0></0>" parts={{ 0: <Time at={declinedAt} /> }} />
          </p>
          <p dir="auto" className="max-w-measure break-words whitespace-pre-line">
            {answer}
          </p>
        </>
      )}
      {!declinedAt && !canDecline && (
        <p className="mt-2 text-small text-quiet">
          {t("You banned this person: another moderator has to reject the appeal. You can lift the ban.")}
        </p>
      )}
    </li>
  );
}

function DeclineAppeal({ person }: Pick<BannedPerson, "person">) {
  const t = useTranslate();
  const field = `decline-appeal-${person.id}`;
  return (
    <Menu label={t("Reject appeal of {name}", { name: person.name })} summary={t("Reject appeal…")}>
      <Form method="post" preventScrollReset className="grid w-64 gap-2 p-2">
        <input type="hidden" name="intent" value="decline-appeal" />
        <input type="hidden" name="personId" value={person.id} />
        <label htmlFor={field} className="text-small text-quiet">
          {t("Reason (for {name} and the log)", { name: person.name })}
        </label>
        <input
          id={field}
          name="reason"
          required
          maxLength={LIMITS.reason}
          dir="auto"
          autoComplete="off"
          className="input"
        />
        <SubmitButton kind="danger" busy={t("Saving…")}>
          {t("Reject appeal")}
        </SubmitButton>
      </Form>
    </Menu>
  );
}
