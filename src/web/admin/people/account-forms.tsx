import { Form } from "react-router";
import type { AccountEntry } from "#community/accounts";
import { ActionForm } from "../../people/action-form.tsx";
import { ButtonLink, FormErrors, Notice, SelectField, SubmitButton, TextArea } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import { MODERATOR_SANCTION_DAYS, ACCOUNT_ROLES, SANCTION_DAYS } from "./account-options.ts";
import { useRoleLabels, useSanctionLengthLabels, useAccountStateLabels } from "./account-labels.ts";

/** Actions on one account. */
export function AccountForms({
  who: account,
  back,
  isAdmin,
}: {
  who: AccountEntry;
  back: string;
  isAdmin: boolean;
}) {
  const t = useTranslate();
  const states = useAccountStateLabels();
  const isOpen = ["active", "limited", "suspended"].includes(account.state);
  return (
    <section aria-labelledby="account" className="panel mb-6 grid gap-6 p-5">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="account" dir="auto" className="min-w-0 font-serif text-large font-semibold break-words">
          {t("Account of {name}", { name: account.name })}
        </h2>
        <ButtonLink to={back}>{t("Close")}</ButtonLink>
      </header>
      {!isOpen && <p>{states[account.state]}</p>}
      {account.state === "pending_approval" && <DeclineForm who={account} />}
      {isOpen && account.role === "member" && (
        <SanctionForm who={account} spans={isAdmin ? SANCTION_DAYS : MODERATOR_SANCTION_DAYS} />
      )}
      {isOpen && account.role !== "member" && (
        <Notice>{t("Staff can be neither restricted nor suspended. Revoke the role first.")}</Notice>
      )}
      {isOpen && isAdmin && <RoleForm who={account} />}
    </section>
  );
}

function SanctionForm({
  who: account,
  spans,
}: {
  who: AccountEntry;
  spans: readonly (typeof SANCTION_DAYS)[number][];
}) {
  const t = useTranslate();
  const words = useSanctionLengthLabels();
  return (
    <div className="grid max-w-xl gap-4">
      {account.state !== "active" && (
        <ActionForm intent="restore" fields={{ personId: account.id }} busy={t("Lifting…")}>
          {account.state === "suspended" ? t("Lift suspension") : t("Lift restriction")}
        </ActionForm>
      )}
      <Form method="post" className="grid gap-4">
        <FormErrors />
        <input type="hidden" name="intent" value="status" />
        <input type="hidden" name="personId" value={account.id} />
        <SelectField
          name="state"
          label={t("Restriction")}
          hint={t(
            "Restricted: can read, and write only to people they know. Suspended: signed out and cannot sign in.",
          )}
          defaultValue={account.state === "active" ? "limited" : account.state}
        >
          <option value="limited">{t("Restricted")}</option>
          <option value="suspended">{t("Suspended")}</option>
        </SelectField>
        <SelectField name="days" label={t("Duration")} defaultValue="7">
          {spans.map((span) => (
            <option key={span} value={span}>
              {words[span]}
            </option>
          ))}
        </SelectField>
        <TextArea
          name="reason"
          label={t("Reason")}
          hint={t("The person gets the reason by email and sees it when signing in.")}
          defaultValue={account.reason ?? ""}
          required
          maxLength={2_000}
          dir="auto"
        />
        <div>
          <SubmitButton busy={t("Saving…")}>{t("Apply")}</SubmitButton>
        </div>
      </Form>
    </div>
  );
}

function RoleForm({ who: account }: { who: AccountEntry }) {
  const t = useTranslate();
  const roles = useRoleLabels();
  return (
    <Form method="post" className="flex flex-wrap items-end gap-3">
      <input type="hidden" name="intent" value="role" />
      <input type="hidden" name="personId" value={account.id} />
      <SelectField name="role" label={t("Role")} defaultValue={account.role}>
        {ACCOUNT_ROLES.map((role) => (
          <option key={role} value={role}>
            {roles[role]}
          </option>
        ))}
      </SelectField>
      <SubmitButton kind="plain" busy={t("Saving…")}>
        {t("Set role")}
      </SubmitButton>
    </Form>
  );
}

function DeclineForm({ who: account }: { who: AccountEntry }) {
  const t = useTranslate();
  return (
    <Form method="post" className="grid max-w-xl gap-4">
      <FormErrors />
      <input type="hidden" name="intent" value="decline" />
      <input type="hidden" name="personId" value={account.id} />
      <TextArea
        name="reason"
        label={t("Reason (optional)")}
        hint={t("The person gets the reason by email. The reason is logged, and the account is deleted.")}
        maxLength={2_000}
        dir="auto"
      />
      <div>
        <SubmitButton kind="danger" busy={t("Rejecting…")}>
          {t("Reject")}
        </SubmitButton>
      </div>
    </Form>
  );
}
