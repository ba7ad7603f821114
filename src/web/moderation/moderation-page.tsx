import { redirect } from "react-router";
import { listPendingPosts } from "#community/discussions";
import { type ReportRow, listReports } from "#community/moderation";
import { requireMember } from "../auth-middleware.ts";
import { readQueryParam, chooseAction } from "../form-parsing.ts";
import { EmptyState, NextPageLink, PageHeader, pageMeta, RefusalNotice, Tabs } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/moderation-page";
import { PendingPostList } from "./pending-post-list.tsx";
import { PENDING_POST_COMMANDS } from "./pending-post-commands.ts";
import { ReportList } from "./report-list.tsx";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ db, viewer, url }) => {
  const after = readQueryParam(url, "after", 1000);
  if (readQueryParam(url, "tab") === "posts")
    return { tab: "posts" as const, ...(await listPendingPosts(db, viewer, { after })) };
  const tab = readQueryParam(url, "tab") === "resolved" ? ("resolved" as const) : ("open" as const);
  return { tab, ...(await listReports(db, viewer, { tab, after })) };
});

export const action = defineAction(async ({ app, viewer, form }) => {
  const command = chooseAction(PENDING_POST_COMMANDS, form);
  await app.database.inTransaction((tx) => command(tx, viewer, form));
  return redirect(urls.moderation({ tab: "posts" }));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ tab }, t) => ({
  title: tab === "posts" ? t("Pending posts") : t("Reports"),
  hidden: true,
}));

export default function Moderation({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const { tab, next } = loaderData;
  return (
    <>
      {tab === "posts" ? (
        <PageHeader
          title={t("Pending posts")}
          lead={t("Posts of new members that need approval appear here.")}
        />
      ) : (
        <PageHeader title={t("Reports")} lead={t("Reported content")} />
      )}
      <Tabs
        label={t("Reports")}
        tabs={[
          { to: urls.moderation(), label: t("Open"), current: tab === "open" },
          { to: urls.moderation({ tab: "resolved" }), label: t("Done"), current: tab === "resolved" },
          { to: urls.moderation({ tab: "posts" }), label: t("Pending posts"), current: tab === "posts" },
        ]}
      />
      <RefusalNotice />
      {loaderData.tab === "posts" ? (
        <>
          <h2 className="sr-only">{t("Pending posts")}</h2>
          <PendingPostList rows={loaderData.rows} />
        </>
      ) : (
        <ReportTabContent tab={loaderData.tab} rows={loaderData.rows} />
      )}
      <NextPageLink to={next && urls.moderation({ tab, after: next })} />
    </>
  );
}

function ReportTabContent({ tab, rows }: { tab: "open" | "resolved"; rows: ReportRow[] }) {
  const t = useTranslate();
  return (
    <>
      {rows.length === 0 && (
        <div className="mt-5">
          <EmptyState title={tab === "open" ? t("Nothing to do.") : t("No entries yet.")} />
        </div>
      )}
      <ReportList rows={rows} />
    </>
  );
}
