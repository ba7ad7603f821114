import { Form } from "react-router";
import { listBots } from "#community/bots";
import { getGroup } from "#community/groups";
import { getIncomingWebhook } from "#community/webhooks";
import { readQueryParam } from "../../form-parsing.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { ActionForm } from "../../people/action-form.tsx";
import { defineAction, defineLoader } from "../../request-context.ts";
import {
  ButtonLink,
  FormErrors,
  Notice,
  PageHeader,
  pageMeta,
  RefusalNotice,
  SubmitButton,
  Time,
} from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { ReplaceAndDelete } from "../replace-and-delete.tsx";
import { WebhookSections } from "../webhook-sections.tsx";
import type { Route } from "./+types/incoming-webhook-page";
import { runIncomingCommand } from "./incoming-commands.ts";
import { CreatedHookAddress, IncomingFields } from "./incoming-fields.tsx";
import { IncomingTarget } from "./incoming-target.tsx";

export const loader = defineLoader(async ({ db, viewer, ctx, params, url }) => {
  ctx.headers["cache-control"] = "no-store";
  const { id: groupId, slug } = await getGroup(db, viewer, params["groupId"]!.toLowerCase());
  const webhook = await getIncomingWebhook(db, viewer, { groupId, webhookId: params["webhookId"]! });
  const { previousUntil } = webhook;
  return {
    slug,
    webhook,
    previousUntil: previousUntil && previousUntil > ctx.now ? previousUntil : null,
    bots: await listBots(db, viewer, { groupId }),
    saved: readQueryParam(url, "saved", 20),
  };
});

export const action = defineAction(async ({ app, db, viewer, form, params }) => {
  const group = await getGroup(db, viewer, params["groupId"]!.toLowerCase());
  return runIncomingCommand({ app, viewer, form, group, webhookId: params["webhookId"]! });
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((loaded, t) => ({
  title: t("Webhook {name}", { name: loaded?.webhook.name ?? "" }),
  hidden: true,
}));

/** One incoming webhook: its state and its settings. */
export default function IncomingWebhookPage({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const { slug, webhook, bots, saved, previousUntil } = loaderData;
  const isPaused = webhook.pausedAt !== null;
  const done: Record<string, string> = {
    change: t("Saved"),
    resume: t("The webhook runs again."),
  };
  return (
    <>
      <PageHeader
        title={<bdi>{webhook.name}</bdi>}
        actions={
          <>
            <ActionForm
              intent={isPaused ? "resume" : "pause"}
              fields={{}}
              busy={isPaused ? t("Resuming…") : t("Pausing…")}
              kind={isPaused ? "primary" : "plain"}
            >
              {isPaused ? t("Resume") : t("Pause")}
            </ActionForm>
            <ButtonLink to={urls.incomingWebhooks(slug)}>{t("All webhooks")}</ButtonLink>
          </>
        }
      />
      <WebhookSections slug={slug} current={null} />
      <RefusalNotice except={["change"]} />
      <CreatedHookAddress />
      <p role="status" className="mb-3 text-accent empty:hidden">
        {done[saved]}
      </p>
      {isPaused && (
        <div className="mb-4">
          <Notice tone="pending">{t("The webhook is paused. Messages are refused.")}</Notice>
        </div>
      )}
      <IncomingTarget webhook={webhook} />
      {previousUntil && (
        <p className="mt-1 text-small text-quiet">
          <Rich
            text="The previous address is valid until <0></0>"
            parts={{ 0: <Time at={previousUntil} /> }}
          />
        </p>
      )}
      <section aria-labelledby="settings" className="mt-6 border-t border-line py-6">
        <h2 id="settings" className="mb-3 font-serif text-large font-semibold">
          {t("Settings")}
        </h2>
        <Form method="post" className="grid max-w-2xl grid-cols-1 gap-4">
          <input type="hidden" name="intent" value="change" />
          <FormErrors />
          <IncomingFields bots={bots} webhook={webhook} />
          <div>
            <SubmitButton busy={t("Saving…")}>{t("Save")}</SubmitButton>
          </div>
        </Form>
      </section>
      <ReplaceAndDelete
        title={t("Address and deletion")}
        replace={t("Replace address")}
        afterReplacing={t("Both addresses are valid for a day, so that programs can change without a gap.")}
        afterDeleting={t("Messages to its address are refused. Posts stay.")}
      />
    </>
  );
}
