import type { ReactNode } from "react";
import { Form } from "react-router";
import type { PersonCard } from "#community/common";
import type { Group } from "#community/groups";
import { LIMITS } from "#community/rules";
import {
  CheckField,
  EmptyState,
  NextPageLink,
  Notice,
  SelectField,
  SubmitButton,
  TextField,
} from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { urls } from "../../urls.ts";
import type { RejectedForm } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import { InvitationRow } from "./invitation-row.tsx";
import type { ManageContent } from "./manage-group-data.ts";

type InvitationsProps = { group: Group; content: ManageContent<"invitations"> };

/** Forms to invite people, and the state of earlier invitations. */
export function ManageInvitations({ group, content: { rows, next, canInvite, friends } }: InvitationsProps) {
  const t = useTranslate();
  return (
    <>
      <CreatedLink />
      {canInvite && (
        <div className="mb-8 grid gap-4">
          {friends.length > 0 && (
            <InvitationForm intent="invite-several" title={t("Friends")} button={t("Invite")}>
              <FriendChoice friends={friends} />
            </InvitationForm>
          )}
          <InvitationForm intent="invite-person" title={t("Member")} button={t("Invite")}>
            <TextField
              name="username"
              label={t("Username")}
              required
              maxLength={60}
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              autoComplete="off"
            />
          </InvitationForm>
          <InvitationForm intent="invite-address" title={t("Email")} button={t("Send invitation")}>
            <TextField
              name="email"
              type="email"
              label={t("Email address")}
              required
              maxLength={LIMITS.email}
              autoComplete="off"
              hint={t("Only this address can accept.")}
            />
            <JoinLink group={group} />
          </InvitationForm>
          <InvitationForm intent="create-link" title={t("Invite link")} button={t("Create link")}>
            <JoinLink group={group} />
            <TextField
              name="mostUses"
              type="number"
              label={t("Number of uses")}
              defaultValue={LIMITS.invitation.uses}
              min={1}
              max={LIMITS.invitation.usesByStaff}
              required
            />
          </InvitationForm>
          <p className="text-small text-quiet">
            {t("Invitations are valid for {days} days. You can create {count} a day.", {
              days: LIMITS.invitation.days,
              count: LIMITS.invitation.perDay,
            })}
          </p>
        </div>
      )}
      <h2 className="mb-1 text-large font-semibold">{t("Invitations")}</h2>
      {rows.length === 0 && (
        <EmptyState title={t("No invitations yet.")}>{t("Pending invitations appear here.")}</EmptyState>
      )}
      <ul>
        {rows.map((row) => (
          <InvitationRow key={row.id} row={row} />
        ))}
      </ul>
      <NextPageLink to={next && urls.manageGroup(group.slug, "invitations", { after: next })} />
    </>
  );
}

/** The address of a link that was just created. */
function CreatedLink() {
  const t = useTranslate();
  const answer = useFormResult<{ made?: string } | undefined>();
  if (!answer?.made) return null;
  return (
    <div className="mb-5">
      <Notice tone="good">
        <label htmlFor="made" className="font-semibold">
          {t("Here is your link. Copy it now: it is not shown again.")}
        </label>
        <input
          id="made"
          readOnly
          value={answer.made}
          dir="ltr"
          className="input mt-2"
          onFocus={(event) => event.currentTarget.select()}
        />
      </Notice>
    </div>
  );
}

/** One of the forms to invite people; it shows only its own errors. */
function InvitationForm({
  intent,
  title,
  button,
  children,
}: {
  intent: string;
  title: string;
  button: string;
  children: ReactNode;
}) {
  const t = useTranslate();
  const answer = useFormResult<RejectedForm | undefined>();
  const refused =
    answer && "refused" in answer && answer.typed["intent"] === intent ? answer.refused : undefined;
  return (
    <details className="panel p-4" open={refused !== undefined}>
      <summary className="cursor-pointer font-semibold">{title}</summary>
      <Form method="post" className="mt-3 grid gap-4">
        <input type="hidden" name="intent" value={intent} />
        {refused && (
          <p role="alert" className="fault">
            {Object.values(refused.fields)[0] ?? refused.message}
          </p>
        )}
        {children}
        <div>
          <SubmitButton busy={t("Sending…")}>{button}</SubmitButton>
        </div>
      </Form>
    </details>
  );
}

/** Lists friends who are not members yet. The maximum for one submission is shown below. */
function FriendChoice({ friends }: { friends: PersonCard[] }) {
  const t = useTranslate();
  return (
    <fieldset>
      <legend className="label mb-2">{t("People to invite")}</legend>
      <div className="grid max-h-80 gap-2 overflow-y-auto phone:grid-cols-2">
        {friends.map(({ id, name, username }) => (
          <CheckField key={id} name="personIds[]" value={id} label={name} hint={`@${username}`} />
        ))}
      </div>
    </fieldset>
  );
}

function JoinLink({ group }: { group: Group }) {
  const t = useTranslate();
  if (group.visibility === "secret") return <input type="hidden" name="entry" value="join" />;
  return (
    <SelectField name="entry" label={t("Invited people")} defaultValue="join">
      <option value="join">{t("join directly")}</option>
      <option value="ask">
        {group.questions.length > 0 ? t("need approval, after answering the questions") : t("need approval")}
      </option>
    </SelectField>
  );
}
