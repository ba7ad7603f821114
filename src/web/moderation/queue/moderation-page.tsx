import { redirect } from "react-router";
import { listPendingPosts } from "#community/discussions";
import {
  CaseInput,
  claimCase,
  getQueueCounts,
  getResponseTimes,
  listCaseGroups,
  listCases,
  removeSpam,
  SpamRemoval,
} from "#community/moderation";
import { requireMember } from "../../auth-middleware.ts";
import { parseForm, readQueryParam, chooseAction } from "../../form-parsing.ts";
import { redirectWithNotice } from "../../notices/notice.ts";
import { NextPageLink, PageHeader, pageMeta, RefusalNotice, Tabs } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/moderation-page";
import { CaseQueue, toQueryParams } from "./case-queue.tsx";
import { PendingPostList } from "../pending/pending-post-list.tsx";
import { PENDING_POST_COMMANDS } from "../pending/pending-post-commands.ts";
import { createRemovalNotice } from "../cases/decision-notice.ts";
import { readQueueParams, toCaseQuery } from "./queue-params.ts";
import { ResponseTimesLine } from "./response-times.tsx";
import { useLiveQueueCounts } from "./use-live-queue-counts.ts";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ app, ctx, db, viewer, url }) => {
  const after = readQueryParam(url, "after", 1000);
  if (readQueryParam(url, "tab") === "posts") {
    const [page, counts] = await Promise.all([
      listPendingPosts(db, viewer, { after }),
      getQueueCounts(db, viewer),
    ]);
    return { tab: "posts" as const, ...page, counts };
  }
  const params = readQueueParams(url);
  const [page, groups, counts, times, { reportCategories: categories }] = await Promise.all([
    listCases(db, viewer, { ...toCaseQuery(params, ctx.now), after }),
    listCaseGroups(db, viewer),
    getQueueCounts(db, viewer),
    getResponseTimes(db, viewer, ctx.now),
    app.settings.get(),
  ]);
  return { tab: params.tab, params, ...page, groups, counts, times, categories };
});

export const action = defineAction(async ({ app, ctx, viewer, form, url }) => {
  const intent = form.get("intent");
  if (intent === "spam") {
    const removed = await removeSpam(app.database, viewer, parseForm(SpamRemoval, form));
    return redirectWithNotice(ctx, {
      to: urls.moderation(toQueryParams(readQueueParams(url))),
      notice: removed.length > 0 ? createRemovalNotice(ctx, removed) : undefined,
    });
  }
  if (intent === "claim") {
    const input = parseForm(CaseInput, form);
    await app.database.inTransaction((tx) => claimCase(tx, viewer, input));
    return redirect(urls.case(input.caseId));
  }
  const command = chooseAction(PENDING_POST_COMMANDS, form);
  await app.database.inTransaction((tx) => command(tx, viewer, form));
  return redirect(urls.moderation({ tab: "posts" }));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ tab }, t) => ({
  title: tab === "posts" ? t("Pending posts") : t("Cases"),
  hidden: true,
}));

export default function Moderation({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const { tab, next } = loaderData;
  const { open, pending } = useLiveQueueCounts(loaderData.counts);
  return (
    <>
      {tab === "posts" ? (
        <PageHeader
          title={t("Pending posts")}
          lead={t("Posts, events, resources and profile texts that need approval appear here.")}
        />
      ) : (
        <PageHeader title={t("Cases")} lead={t("Reported content and appeals")} />
      )}
      <Tabs
        label={t("Cases")}
        tabs={[
          { to: urls.moderation(), label: t("Open"), current: tab === "open", count: open },
          { to: urls.moderation({ tab: "resolved" }), label: t("Done"), current: tab === "resolved" },
          {
            to: urls.moderation({ tab: "posts" }),
            label: t("Pending posts"),
            current: tab === "posts",
            count: pending,
          },
        ]}
      />
      <RefusalNotice />
      {loaderData.tab === "posts" ? (
        <>
          <h2 className="sr-only">{t("Pending posts")}</h2>
          <PendingPostList rows={loaderData.rows} />
          <NextPageLink to={next && urls.moderation({ tab, after: next })} />
        </>
      ) : (
        <>
          <h2 className="sr-only">{t("Cases")}</h2>
          <ResponseTimesLine times={loaderData.times} />
          <CaseQueue {...loaderData} />
          <NextPageLink to={next && urls.moderation({ ...toQueryParams(loaderData.params), after: next })} />
        </>
      )}
    </>
  );
}
