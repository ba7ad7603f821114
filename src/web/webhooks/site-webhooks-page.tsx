import { listWebhooks } from "#community/webhooks";
import { assertAdmin } from "../admin/admin-access.ts";
import { useTranslate } from "../i18n/index.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { PageHeader, pageMeta } from "../ui/index.ts";
import type { Route } from "./+types/site-webhooks-page";
import { createWebhookByForm } from "./webhook-commands.ts";
import { WebhookList } from "./webhook-list.tsx";

export const loader = defineLoader(async ({ db, viewer, ctx }) => {
  assertAdmin(viewer);
  ctx.headers["cache-control"] = "no-store";
  return { webhooks: await listWebhooks(db, viewer, { groupId: null }) };
});

export const action = defineAction(async ({ app, viewer, form }) => {
  assertAdmin(viewer);
  return createWebhookByForm({ app, viewer, form, group: null });
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Webhooks"),
  hidden: true,
}));

export default function SiteWebhooksPage({ loaderData: { webhooks } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Webhooks")}
        lead={t("Webhooks of the whole site. Group owners manage the webhooks of their groups.")}
      />
      <WebhookList webhooks={webhooks} group={null} />
    </>
  );
}
