import { redirect } from "react-router";
import { listAccountHistory, listPersonNotes, listReportsAbout } from "#community/moderation";
import { getAccountEntry, type AccountEntry, listAccounts } from "#community/accounts";
import { personNoteRules } from "#community/rules";
import { readQueryParam, chooseAction } from "../../form-parsing.ts";
import { PersonNotes } from "../../moderation/cases/person-notes.tsx";
import { ButtonLink, EmptyState, NextPageLink, PageHeader, pageMeta, RefusalNotice } from "../../ui/index.ts";
import { isFormResult } from "../../ui/forms/form-result.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/accounts-page";
import { AccountFilter } from "./account-filter.tsx";
import { AccountForms } from "./account-forms.tsx";
import { AccountHistory } from "./account-history.tsx";
import { AccountRow } from "./account-row.tsx";
import { parseAccountState } from "./account-options.ts";
import { ACCOUNT_COMMANDS } from "./account-commands.ts";
import { assertStaff } from "../admin-access.ts";

export const loader = defineLoader(async ({ db, viewer, ctx, url }) => {
  assertStaff(viewer);
  ctx.headers["cache-control"] = "no-store";
  const wanted = {
    search: readQueryParam(url, "search"),
    state: parseAccountState(readQueryParam(url, "state")),
  };
  const { accounts, next } = await listAccounts(db, viewer, {
    ...wanted,
    after: readQueryParam(url, "after"),
  });
  const who = await getAccountEntry(db, viewer, readQueryParam(url, "who"));
  const history = who?.canDecide
    ? {
        entries: await listAccountHistory(db, viewer, who.id),
        reports: await listReportsAbout(db, viewer, who.id),
      }
    : null;
  const notes =
    who && personNoteRules.read(viewer, who.id) ? await listPersonNotes(db, viewer, [who.id]) : null;
  return {
    accounts,
    next,
    filters: wanted,
    who,
    history,
    notes,
    me: viewer.id,
    isAdmin: viewer.role === "admin",
  };
});

/** An email address that was just revealed. */
type RevealedEmail = { addressOf: string; address: string | null };
const NOTE_INTENTS = ["note-person", "delete-person-note"];
export type AccountsPage = Awaited<ReturnType<typeof loader>>;

export const action = defineAction(async ({ app, viewer, form, url }) => {
  assertStaff(viewer);
  const answer = await chooseAction(ACCOUNT_COMMANDS, form)(app, viewer, form);
  if (isFormResult<RevealedEmail>(answer, "addressOf")) return answer;
  // After a note, the same account is shown again.
  const who = NOTE_INTENTS.includes(String(form.get("intent"))) ? readQueryParam(url, "who") : "";
  return redirect(
    urls.accounts({
      search: readQueryParam(url, "search"),
      state: readQueryParam(url, "state"),
      ...(who && { who }),
    }),
  );
});

export const meta = pageMeta<AccountsPage>((_data, t) => ({ title: t("Members"), hidden: true }));

export default function AccountsPage({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const { accounts, next, filters: wanted, who, history, notes, me, isAdmin } = loaderData;
  const shown = useFormResult<Partial<RevealedEmail>>();
  const canChange = (it: AccountEntry) => it.id !== me && (isAdmin || it.canDecide);
  const here = { search: wanted.search, ...(wanted.state && { state: wanted.state }) };
  return (
    <>
      <PageHeader title={t("Members")} lead={t("All members, newest first.")} />
      <RefusalNotice />
      {who && canChange(who) && (
        <AccountForms key={who.id} who={who} back={urls.accounts(here)} isAdmin={isAdmin} />
      )}
      {who && notes && (
        <div className="mb-8 max-w-reading">
          <PersonNotes person={who} notes={notes} canAdd />
        </div>
      )}
      {history && <AccountHistory {...history} />}
      <AccountFilter filters={wanted} isAdmin={isAdmin} />
      {accounts.length === 0 && <NoAccounts searched={wanted.search !== "" || wanted.state !== undefined} />}
      <ul>
        {accounts.map((accountEntry: AccountEntry) => (
          <AccountRow
            key={accountEntry.id}
            it={accountEntry}
            address={shown?.addressOf === accountEntry.id ? (shown.address ?? null) : null}
            canChange={canChange(accountEntry)}
            open={accountEntry.id !== me ? urls.accounts({ ...here, who: accountEntry.id }) : null}
          />
        ))}
      </ul>
      <NextPageLink to={next && urls.accounts({ ...here, after: next })} />
    </>
  );
}

function NoAccounts({ searched }: { searched: boolean }) {
  const t = useTranslate();
  return (
    <EmptyState
      title={t("No results.")}
      action={searched && <ButtonLink to={urls.accounts()}>{t("Show all members")}</ButtonLink>}
    />
  );
}
