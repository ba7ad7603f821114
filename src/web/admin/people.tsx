import { redirect } from "react-router";
import { actsOn, reportsAbout } from "#community/moderation";
import { accountLineFor, type AccountLine, accountsFor } from "#community/people";
import { asked, verbIn } from "../forms.ts";
import { ButtonLink, Empty, NextPage, PageHead, pageMeta, RefusalNotice } from "../ui/index.ts";
import { useAnswer } from "../ui/use-answer.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/people";
import { AccountFilter } from "./account-filter.tsx";
import { AccountForms } from "./account-forms.tsx";
import { AccountHistory } from "./account-history.tsx";
import { AccountRow } from "./account-row.tsx";
import { stateAsked } from "./account-kinds.ts";
import { ACCOUNT_VERBS } from "./account-verbs.ts";
import { assertStaff } from "./only-admins.ts";

export const handle = { asides: "none" };

export const loader = reading(async ({ db, viewer, visit, url }) => {
  assertStaff(viewer);
  visit.headers["cache-control"] = "no-store";
  const wanted = { search: asked(url, "search"), state: stateAsked(asked(url, "state")) };
  const { accounts, next } = await accountsFor(db, viewer, { ...wanted, after: asked(url, "after") });
  const who = await accountLineFor(db, viewer, asked(url, "who"));
  const history = who?.mayDecide ? { acts: await actsOn(db, viewer, who.id), reports: await reportsAbout(db, viewer, who.id) } : null;
  return { accounts, next, asked: wanted, who, history, me: viewer.id, isAdmin: viewer.role === "admin" };
});

/** An email address that was just revealed. */
type Shown = { addressOf: string; address: string | null };
export type AccountsPage = Awaited<ReturnType<typeof loader>>;

export const action = acting(async ({ house, viewer, form, url }) => {
  assertStaff(viewer);
  const answer = await verbIn(ACCOUNT_VERBS, form)(house, viewer, form);
  if (form.get("intent") === "address") return answer as Shown;
  return redirect(urls.accounts({ search: asked(url, "search"), state: asked(url, "state") }));
});

export const meta = pageMeta<AccountsPage>((_data, t) => ({ title: t("Accounts"), hidden: true }));

export default function AccountsPage({ loaderData }: Route.ComponentProps) {
  const t = useWords();
  const { accounts, next, asked: wanted, who, history, me, isAdmin } = loaderData;
  const shown = useAnswer<Partial<Shown>>();
  const mayChange = (it: AccountLine) => it.id !== me && (isAdmin || it.mayDecide);
  const here = { search: wanted.search, ...(wanted.state && { state: wanted.state }) };
  return (
    <>
      <PageHead
        title={t("Accounts")}
        lead={t("Everybody who has an account here, the youngest first: what they may do, and who decides with you.")}
        actions={isAdmin && <ButtonLink to={urls.programs()}>{t("Programs and their keys")}</ButtonLink>}
      />
      <RefusalNotice />
      {who && mayChange(who) && <AccountForms key={who.id} who={who} back={urls.accounts(here)} isAdmin={isAdmin} />}
      {history && <AccountHistory {...history} />}
      <AccountFilter asked={wanted} isAdmin={isAdmin} />
      {accounts.length === 0 && <Nobody searched={wanted.search !== "" || wanted.state !== undefined} />}
      <ul>
        {accounts.map((it: AccountLine) => (
          <AccountRow
            key={it.id}
            it={it}
            address={shown?.addressOf === it.id ? (shown.address ?? null) : null}
            change={mayChange(it) ? urls.accounts({ ...here, who: it.id }) : null}
          />
        ))}
      </ul>
      <NextPage to={next && urls.accounts({ ...here, after: next })} />
    </>
  );
}

function Nobody({ searched }: { searched: boolean }) {
  const t = useWords();
  return (
    <Empty title={t("No account is like that.")} action={searched && <ButtonLink to={urls.accounts()}>{t("Show everybody")}</ButtonLink>} />
  );
}
