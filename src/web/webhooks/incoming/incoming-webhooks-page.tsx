import { Form } from "react-router";
import { listBots } from "#community/bots";
import { getGroup } from "#community/groups";
import { type IncomingWebhook, listIncomingWebhooks } from "#community/webhooks";
import { useTranslate } from "../../i18n/index.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import {
  ButtonLink,
  EmptyState,
  FormErrors,
  PageHeader,
  pageMeta,
  SubmitButton,
  Tag,
} from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { WebhookSections } from "../webhook-sections.tsx";
import type { Route } from "./+types/incoming-webhooks-page";
import { createIncomingByForm } from "./incoming-commands.ts";
import { CreatedHookAddress, IncomingFields } from "./incoming-fields.tsx";
import { IncomingTarget } from "./incoming-target.tsx";

export const loader = defineLoader(async ({ db, viewer, ctx, params }) => {
  ctx.headers["cache-control"] = "no-store";
  const { id: groupId, slug } = await getGroup(db, viewer, params["groupId"]!.toLowerCase());
  return {
    slug,
    bots: await listBots(db, viewer, { groupId }),
    webhooks: await listIncomingWebhooks(db, viewer, { groupId }),
  };
});

export const action = defineAction(async ({ app, db, viewer, form, params }) => {
  const group = await getGroup(db, viewer, params["groupId"]!.toLowerCase());
  return createIncomingByForm({ app, viewer, form, group });
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Incoming webhooks"),
  hidden: true,
}));

/** Incoming webhooks of a group, and a form for a new one. */
export default function IncomingWebhooksPage({ loaderData: { slug, bots, webhooks } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Incoming webhooks")}
        lead={t("Other programs post in the group by sending a request to a secret address.")}
        actions={<ButtonLink to={urls.manageGroup(slug, "webhooks")}>{t("Manage group")}</ButtonLink>}
      />
      <WebhookSections slug={slug} current="incoming" />
      <CreatedHookAddress />
      {webhooks.length === 0 && (
        <EmptyState title={t("No incoming webhooks yet.")}>
          {t("Programs that can post to Slack or Discord can post here too.")}
        </EmptyState>
      )}
      <ul className="border-t border-line empty:hidden" aria-label={t("Incoming webhooks")}>
        {webhooks.map((webhook) => (
          <IncomingRow key={webhook.id} webhook={webhook} slug={slug} />
        ))}
      </ul>
      <section aria-labelledby="new-webhook" className="mt-8 border-t border-line py-6">
        <h2 id="new-webhook" className="mb-3 font-serif text-large font-semibold">
          {t("New incoming webhook")}
        </h2>
        {bots.length === 0 ? (
          <p>
            {t("Messages are posted by a bot.")} <Link to={urls.bots(slug)}>{t("Create a bot first")}</Link>
          </p>
        ) : (
          <Form method="post" className="grid max-w-2xl grid-cols-1 gap-4" key={webhooks.length}>
            <FormErrors />
            <IncomingFields bots={bots} />
            <div>
              <SubmitButton busy={t("Creating…")}>{t("Create webhook")}</SubmitButton>
            </div>
          </Form>
        )}
      </section>
    </>
  );
}

function IncomingRow({ webhook, slug }: { webhook: IncomingWebhook; slug: string }) {
  const t = useTranslate();
  const { id, name, pausedAt } = webhook;
  return (
    <li className="border-b border-line py-3" data-item>
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Link to={urls.incomingWebhook(slug, id)} className="font-semibold break-words">
          <bdi>{name}</bdi>
        </Link>
        {pausedAt !== null && <Tag>{t("Paused")}</Tag>}
      </p>
      <IncomingTarget webhook={webhook} />
    </li>
  );
}
