import { redirect } from "react-router";
import { heldPosts } from "#community/discussions";
import { type ReportRow, reportsFor } from "#community/moderation";
import { accountRules } from "#community/rules";
import { membersOnly } from "../auth.ts";
import { asked, verbIn } from "../forms.ts";
import { ButtonLink, Empty, NextPage, PageHead, pageMeta, RefusalNotice, Tabs } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/moderation";
import { HeldList } from "./held-list.tsx";
import { HELD_DEEDS } from "./held-verbs.ts";
import { ReportList } from "./report-list.tsx";

export const middleware = [membersOnly];

export const loader = reading(async ({ db, viewer, url }) => {
  const staff = accountRules.lookAfter(viewer);
  const after = asked(url, "after", 1000);
  if (asked(url, "tab") === "posts") return { tab: "posts" as const, staff, ...(await heldPosts(db, viewer, { after })) };
  const tab = asked(url, "tab") === "resolved" ? ("resolved" as const) : ("open" as const);
  return { tab, staff, ...(await reportsFor(db, viewer, { tab, after })) };
});

export const action = acting(async ({ house, viewer, form }) => {
  const deed = verbIn(HELD_DEEDS, form);
  await house.database.inTransaction((tx) => deed(tx, viewer, form));
  return redirect(urls.moderation({ tab: "posts" }));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ tab }, t) => ({
  title: tab === "posts" ? t("First posts") : t("Reports"),
  hidden: true,
}));

export default function Moderation({ loaderData }: Route.ComponentProps) {
  const t = useWords();
  const { tab, staff, next } = loaderData;
  const accounts = staff && <ButtonLink to={urls.accounts()}>{t("Accounts")}</ButtonLink>;
  return (
    <>
      {tab === "posts" ? (
        <PageHead title={t("First posts")} lead={t("What newcomers write, and you look at first, appears here.")} actions={accounts} />
      ) : (
        <PageHead title={t("Reports")} lead={t("What members showed to those who look after it.")} actions={accounts} />
      )}
      <Tabs
        label={t("Reports")}
        tabs={[
          { to: urls.moderation(), label: t("Open"), current: tab === "open" },
          { to: urls.moderation({ tab: "resolved" }), label: t("Done"), current: tab === "resolved" },
          { to: urls.moderation({ tab: "posts" }), label: t("First posts"), current: tab === "posts" },
        ]}
      />
      <RefusalNotice />
      {loaderData.tab === "posts" ? <HeldList rows={loaderData.rows} /> : <Reports tab={loaderData.tab} rows={loaderData.rows} />}
      <NextPage to={next && urls.moderation({ tab, after: next })} />
    </>
  );
}

function Reports({ tab, rows }: { tab: "open" | "resolved"; rows: ReportRow[] }) {
  const t = useWords();
  return (
    <>
      {rows.length === 0 && (
        <div className="mt-5">
          <Empty title={tab === "open" ? t("Nothing is waiting.") : t("Nothing is done yet.")} />
        </div>
      )}
      <ReportList rows={rows} />
    </>
  );
}
