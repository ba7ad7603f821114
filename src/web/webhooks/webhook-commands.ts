import { data, redirect } from "react-router";
import { type Viewer, WEBHOOK_EVENTS } from "#community/rules";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  DeliveryId,
  pauseWebhook,
  resendDelivery,
  resumeWebhook,
  rotateWebhookSecret,
  sendTestDelivery,
  WebhookForm,
} from "#community/webhooks";
import type { Tx } from "#platform/database";
import { chooseAction, parseForm } from "../form-parsing.ts";
import type { WebContext } from "../web-context.ts";
import { toScope, type WebhookPlace, webhooksUrl, webhookUrl } from "./webhook-scope.ts";

type CommandInput = WebhookPlace & {
  app: Pick<WebContext, "database" | "sealer">;
  viewer: Viewer;
  form: FormData;
};

/**
 * Result of a form that contains the secret of a webhook. The field is called `key`, because logs redact
 * fields called `secret`.
 */
export type CreatedWebhook = { created: { name: string; id: string; key: string } };

/** Events are single checkboxes, so that each is restored after a rejection. */
function parseWebhookForm(form: FormData): WebhookForm {
  const fields = new FormData();
  for (const name of ["name", "url", "tags", "groups"]) fields.set(name, form.get(name) ?? "");
  for (const event of WEBHOOK_EVENTS) if (form.has(`event-${event}`)) fields.append("events[]", event);
  return parseForm(WebhookForm, fields);
}

/** Creates a webhook. Only this response has its secret. */
export async function createWebhookByForm({ app, viewer, form, group }: CommandInput) {
  const input = parseWebhookForm(form);
  const { id, secret } = await app.database.inTransaction((tx) =>
    createWebhook(tx, app.sealer, viewer, { ...input, ...toScope({ group }) }),
  );
  return data<CreatedWebhook>({ created: { name: input.name, id, key: secret } });
}

type Target = { groupId: string | null; webhookId: string };
type WebhookCommand = (tx: Tx, viewer: Viewer, target: Target, form: FormData) => Promise<unknown>;

const COMMANDS: Record<string, WebhookCommand> = {
  change: (tx, viewer, target, form) => changeWebhook(tx, viewer, { ...parseWebhookForm(form), ...target }),
  pause: (tx, viewer, target) => pauseWebhook(tx, viewer, target),
  resume: (tx, viewer, target) => resumeWebhook(tx, viewer, target),
  test: (tx, viewer, target) => sendTestDelivery(tx, viewer, target),
  delete: (tx, viewer, target) => deleteWebhook(tx, viewer, target),
  resend(tx, viewer, target, form) {
    form.set("webhookId", target.webhookId);
    return resendDelivery(tx, viewer, { ...target, ...parseForm(DeliveryId, form) });
  },
};

/** Runs a command of a webhook's page. */
export async function runWebhookCommand({
  app,
  viewer,
  form,
  group,
  webhookId,
}: CommandInput & { webhookId: string }) {
  const place = { group };
  const target = { ...toScope(place), webhookId };
  const intent = String(form.get("intent"));
  if (intent === "rotate") {
    const key = await app.database.inTransaction((tx) => rotateWebhookSecret(tx, app.sealer, viewer, target));
    return data<CreatedWebhook>({ created: { name: "", id: webhookId, key } });
  }
  const command = chooseAction(COMMANDS, form);
  await app.database.inTransaction((tx) => command(tx, viewer, target, form));
  return redirect(intent === "delete" ? webhooksUrl(place) : webhookUrl(place, webhookId, { saved: intent }));
}
