import { data, redirect } from "react-router";
import type { Viewer } from "#community/rules";
import {
  changeIncomingWebhook,
  createIncomingWebhook,
  deleteIncomingWebhook,
  IncomingWebhookForm,
  pauseIncomingWebhook,
  rotateIncomingWebhook,
} from "#community/webhooks";
import type { Tx } from "#platform/database";
import { chooseAction, parseForm } from "../../form-parsing.ts";
import { urls } from "../../urls.ts";
import type { WebContext } from "../../web-context.ts";

type CommandInput = {
  app: Pick<WebContext, "database" | "origin">;
  viewer: Viewer;
  form: FormData;
  group: { id: string; slug: string };
};

/**
 * Result of a form that contains the secret address of a webhook; `name` is empty for a replaced address. The field
 * is called `key`, because logs redact fields called `secret`.
 */
export type CreatedHook = { hook: { name: string; id: string; key: string } };

/** Creates an incoming webhook. Only this response has its address. */
export async function createIncomingByForm({ app, viewer, form, group }: CommandInput) {
  const input = { ...parseForm(IncomingWebhookForm, form), groupId: group.id };
  const { id, token } = await app.database.inTransaction((tx) => createIncomingWebhook(tx, viewer, input));
  return data<CreatedHook>({ hook: { name: input.name, id, key: app.origin() + urls.hook(token) } });
}

type Target = { groupId: string; webhookId: string };
const COMMANDS: Record<string, (tx: Tx, viewer: Viewer, target: Target, form: FormData) => Promise<void>> = {
  change: (tx, viewer, target, form) =>
    changeIncomingWebhook(tx, viewer, { ...parseForm(IncomingWebhookForm, form), ...target }),
  pause: (tx, viewer, target) => pauseIncomingWebhook(tx, viewer, { ...target, paused: true }),
  resume: (tx, viewer, target) => pauseIncomingWebhook(tx, viewer, { ...target, paused: false }),
  delete: deleteIncomingWebhook,
};

/** Runs a command of an incoming webhook's page. */
export async function runIncomingCommand({
  app,
  viewer,
  form,
  group,
  webhookId,
}: CommandInput & { webhookId: string }) {
  const target = { groupId: group.id, webhookId };
  const intent = String(form.get("intent"));
  if (intent === "rotate") {
    const token = await app.database.inTransaction((tx) => rotateIncomingWebhook(tx, viewer, target));
    return data<CreatedHook>({ hook: { name: "", id: webhookId, key: app.origin() + urls.hook(token) } });
  }
  const command = chooseAction(COMMANDS, form);
  await app.database.inTransaction((tx) => command(tx, viewer, target, form));
  return redirect(
    intent === "delete"
      ? urls.incomingWebhooks(group.slug)
      : urls.incomingWebhook(group.slug, webhookId, { saved: intent }),
  );
}
