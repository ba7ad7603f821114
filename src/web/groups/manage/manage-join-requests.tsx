import { Form } from "react-router";
import type { Group, JoinRequest } from "#community/groups";
import { ActionForm } from "../../people/action-form.tsx";
import { PersonRow } from "../../people/person-row.tsx";
import { ButtonLink, ChoiceLink, EmptyState, Menu, Notice, SubmitButton, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { RequestAnswers, ROWS_WITH_ANSWERS } from "./request-answers.tsx";
import { DecidedRequests } from "./decided-requests.tsx";
import type { ManageContent } from "./manage-group-data.ts";

/** Join requests with their answers: pending ones for moderators to decide, or decided ones. */
export function ManageJoinRequests({ group, content }: { group: Group; content: ManageContent<"requests"> }) {
  const t = useTranslate();
  const { decided } = content;
  return (
    <>
      <h2 className="sr-only">{t("Requests")}</h2>
      <nav aria-label={t("Filter requests")} className="mb-4 flex flex-wrap items-center gap-2 text-small">
        <ChoiceLink to={urls.manageGroup(group.slug, "requests")} current={!decided}>
          {t("Pending")}
        </ChoiceLink>
        <ChoiceLink
          to={urls.manageGroup(group.slug, "requests", { view: "decided" })}
          current={decided !== null}
        >
          {t("Decided")}
        </ChoiceLink>
        <a href={urls.groupRequestsFile(group.slug)} download className="ms-auto">
          {t("Download all requests (CSV)")}
        </a>
      </nav>
      {decided ? (
        <DecidedRequests group={group} decided={decided} />
      ) : (
        <PendingRequests group={group} content={content} />
      )}
    </>
  );
}

type PendingContent = Extract<ManageContent<"requests">, { decided: null }>;

function PendingRequests({
  group,
  content: { requests, canApprove },
}: {
  group: Group;
  content: PendingContent;
}) {
  const t = useTranslate();
  return (
    <>
      {!canApprove && requests.length > 0 && (
        <Notice>
          {t("The group takes no new members at the moment. Requests can be rejected or wait.")}
        </Notice>
      )}
      {requests.length === 0 && (
        <EmptyState title={t("No open requests.")}>
          {t("Join requests appear here, with answers to the group's questions.")}
        </EmptyState>
      )}
      <ul className={ROWS_WITH_ANSWERS}>
        {requests.map((request) => (
          <RequestRow key={request.person.id} group={group} request={request} canApprove={canApprove} />
        ))}
      </ul>
    </>
  );
}

function RequestRow({
  group,
  request,
  canApprove,
}: {
  group: Group;
  request: JoinRequest;
  canApprove: boolean;
}) {
  const t = useTranslate();
  const { person, answers, askedAt, accountSince, groupsInCommon } = request;
  const fields = { groupId: group.id, personId: person.id };
  return (
    <>
      <PersonRow
        person={person}
        line={
          <>
            <Rich
              text="requested <0></0>, in this community since <1></1>"
              parts={{ 0: <Time at={askedAt} />, 1: <Time at={accountSince} /> }}
            />
            {groupsInCommon > 0 && (
              <>
                {" "}
                ·{" "}
                {t("{count, plural, one {# group in common} other {# groups in common}}", {
                  count: groupsInCommon,
                })}
              </>
            )}
          </>
        }
        actions={
          <>
            {canApprove && (
              <ActionForm
                intent="approve-request"
                fields={fields}
                kind="primary"
                busy={t("Approving…")}
                label={t("Approve: {name}", { name: person.name })}
              >
                {t("Approve")}
              </ActionForm>
            )}
            <ButtonLink
              to={urls.messages({ to: person.username })}
              aria-label={t("Message {name}", { name: person.name })}
            >
              {t("Message", undefined, "verb")}
            </ButtonLink>
            <DeclineForm fields={fields} name={person.name} />
          </>
        }
      />
      <RequestAnswers answers={answers} />
    </>
  );
}

function DeclineForm({ fields, name }: { fields: { groupId: string; personId: string }; name: string }) {
  const t = useTranslate();
  const field = `decline-${fields.personId}`;
  return (
    <Menu label={t("Reject the request of {name}", { name })} summary={t("Reject…")}>
      <Form method="post" preventScrollReset className="grid w-64 gap-2 p-2">
        <input type="hidden" name="intent" value="decline" />
        {Object.entries(fields).map(([key, value]) => (
          <input key={key} type="hidden" name={key} value={value} />
        ))}
        <label htmlFor={field} className="text-small text-quiet">
          {t("Reason, for {name} and the log (optional)", { name })}
        </label>
        <input id={field} name="reason" maxLength={300} dir="auto" autoComplete="off" className="input" />
        <SubmitButton kind="danger" busy={t("Rejecting…")}>
          {t("Reject")}
        </SubmitButton>
      </Form>
    </Menu>
  );
}
