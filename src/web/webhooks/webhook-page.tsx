import { Form } from "react-router";
import { getGroup } from "#community/groups";
import type { Viewer } from "#community/rules";
import { getDelivery, getWebhook, listDeliveries, type OutgoingWebhook } from "#community/webhooks";
import type { Db } from "#platform/database";
import { assertAdmin } from "../admin/admin-access.ts";
import { readQueryParam } from "../form-parsing.ts";
import { useTranslate } from "../i18n/index.ts";
import { ActionForm } from "../people/action-form.tsx";
import { defineAction, defineLoader } from "../request-context.ts";
import {
  ButtonLink,
  FormErrors,
  Notice,
  PageHeader,
  pageMeta,
  RefusalNotice,
  SubmitButton,
} from "../ui/index.ts";
import type { Route } from "./+types/webhook-page";
import { DeliveryLog } from "./delivery-log.tsx";
import { ReplaceAndDelete } from "./replace-and-delete.tsx";
import { runWebhookCommand } from "./webhook-commands.ts";
import { WebhookFields } from "./webhook-form-fields.tsx";
import { usePausedText } from "./webhook-labels.ts";
import { CreatedWebhookSecret } from "./webhook-list.tsx";
import { toScope, type WebhookPlace, webhooksUrl } from "./webhook-scope.ts";

/** The group of the address; without one, the page is that of a webhook of the site. */
async function loadPlace(db: Db, viewer: Viewer, slug: string | undefined): Promise<WebhookPlace> {
  if (slug === undefined) {
    assertAdmin(viewer);
    return { group: null };
  }
  const { id, slug: current, name } = await getGroup(db, viewer, slug.toLowerCase());
  return { group: { id, slug: current, name } };
}

export const loader = defineLoader(async ({ db, viewer, ctx, params, url }) => {
  ctx.headers["cache-control"] = "no-store";
  const place = await loadPlace(db, viewer, params["groupId"]);
  const scope = toScope(place);
  const webhook = await getWebhook(db, viewer, scope, params["webhookId"]!);
  const [state, event, after] = [
    readQueryParam(url, "state", 20),
    readQueryParam(url, "event", 40),
    readQueryParam(url, "after", 1000),
  ];
  const deliveryId = readQueryParam(url, "delivery", 60);
  return {
    ...place,
    webhook,
    filter: { state, event },
    saved: readQueryParam(url, "saved", 20),
    log: await listDeliveries(db, viewer, scope, { webhookId: webhook.id, state, event, after }),
    delivery: deliveryId ? await getDelivery(db, viewer, scope, { webhookId: webhook.id, deliveryId }) : null,
  };
});
export type WebhookPageData = Awaited<ReturnType<typeof loader>>;

export const action = defineAction(async ({ app, db, viewer, form, params }) => {
  const place = await loadPlace(db, viewer, params["groupId"]);
  return runWebhookCommand({ app, viewer, form, ...place, webhookId: params["webhookId"]! });
});

export const meta = pageMeta<WebhookPageData>((loaded, t) => ({
  title: t("Webhook {name}", { name: loaded?.webhook.name ?? "" }),
  hidden: true,
}));

/** One outgoing webhook: its state, its log, and its settings. */
export default function WebhookPage({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const { webhook, group } = loaderData;
  return (
    <>
      <PageHeader
        title={<bdi>{webhook.name}</bdi>}
        lead={
          <bdi className="break-all" dir="ltr">
            {webhook.url}
          </bdi>
        }
        actions={
          <>
            <WebhookActions webhook={webhook} />
            <ButtonLink to={webhooksUrl({ group })}>{t("All webhooks")}</ButtonLink>
          </>
        }
      />
      <RefusalNotice except={["change"]} />
      <CreatedWebhookSecret />
      <WebhookState {...loaderData} />
      <DeliveryLog data={loaderData} />
      <section aria-labelledby="settings" className="mt-8 border-t border-line py-6">
        <h2 id="settings" className="mb-3 font-serif text-large font-semibold">
          {t("Settings")}
        </h2>
        <Form method="post" className="grid max-w-2xl grid-cols-1 gap-4">
          <input type="hidden" name="intent" value="change" />
          <FormErrors />
          <WebhookFields webhook={webhook} inGroup={group !== null} />
          <div>
            <SubmitButton busy={t("Saving…")}>{t("Save")}</SubmitButton>
          </div>
        </Form>
      </section>
      <ReplaceAndDelete
        title={t("Secret and deletion")}
        replace={t("Replace secret")}
        afterReplacing={t(
          "Calls are signed with both secrets for a day, so that receivers can change without a gap.",
        )}
        afterDeleting={t("Pending deliveries and the log are deleted too.")}
      />
    </>
  );
}

function WebhookActions({ webhook }: { webhook: OutgoingWebhook }) {
  const t = useTranslate();
  return (
    <>
      <ActionForm intent="test" fields={{}} busy={t("Sending…")}>
        {t("Send test")}
      </ActionForm>
      {webhook.pausedAt === null ? (
        <ActionForm intent="pause" fields={{}} busy={t("Pausing…")}>
          {t("Pause")}
        </ActionForm>
      ) : (
        <ActionForm intent="resume" fields={{}} busy={t("Resuming…")} kind="primary">
          {t("Resume")}
        </ActionForm>
      )}
    </>
  );
}

function WebhookState({ webhook, saved }: WebhookPageData) {
  const t = useTranslate();
  const paused = usePausedText()(webhook);
  const done: Record<string, string> = {
    change: t("Saved"),
    test: t("The test is on its way. Reload this page to see the answer."),
    resend: t("The delivery is on its way again. Reload this page to see the answer."),
    pause: t("The webhook is paused."),
    resume: t("The webhook runs again."),
  };
  return (
    <>
      <p role="status" className="mb-3 text-accent empty:hidden">
        {done[saved]}
      </p>
      {paused && (
        <div className="mb-4">
          <Notice tone="pending">{paused}</Notice>
        </div>
      )}
      <p className="mb-6 text-quiet">
        {t("Sends what {name} may see.", { name: webhook.owner.name })}{" "}
        {t("If you save these settings, you become the owner.")}
      </p>
    </>
  );
}
