import {
  AutomationWorker,
  type AutomationFunctions,
  AUTOMATION_WORKER_COUNT,
  listenToMessages,
} from "#baas/automations";
import type { Settings } from "#community/settings";
import { type Database, maybeOne, openDatabase, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { isBounceLimited, queueMail } from "#platform/mail";
import { Refusal } from "#platform/refusal";
import { createStepActions, type RestContext } from "#api/rest";
import { z } from "zod";

const Address = z.email().max(320);

type Owner = { email: string | null; locale: string };

/**
 * Resolves the recipient of a mail: a person's id or a mail address.
 * @throws `invalid` for anything else
 */
async function recipientOf(tx: Tx, to: string): Promise<{ to: string; language: string; personId?: string }> {
  if (isId(to)) {
    const found = await maybeOne(
      tx,
      sql<Owner>`select email, locale from people where id = ${to} and state in ('active', 'limited')`,
    );
    if (found?.email) return { to: found.email, language: found.locale, personId: to };
  } else if (Address.safeParse(to).success) return { to, language: "en" };
  throw new Refusal("invalid", "to: must be an email address, or the id of a member with one.");
}

/**
 * Creates the automation step that sends a mail as plain text. Only automations with system rights may send:
 * otherwise any person who starts one could mail anybody.
 */
export const createMailStep =
  (settings: Settings): NonNullable<AutomationFunctions["mail"]> =>
  async (tx, by, { to, subject, text, name }) => {
    if (!by.server) throw new Refusal("not-allowed", "Only automations with server rights can send email.");
    const { language, ...recipient } = await recipientOf(tx, to);
    if (await isBounceLimited(tx, recipient.to, tx.now))
      throw new Refusal("invalid", "to: mail to this address bounces.");
    const parts = text.split(/\n{2,}/).map((part) => ({ kind: "sentence" as const, text: part }));
    const community = (await settings.get()).name;
    await queueMail(tx, {
      ...recipient,
      kind: "notice",
      messageId: `flow.${name}`,
      letter: { language, community, subject, parts, act: null },
    });
  };

/** Starts automations for channel messages published in this process. Returns a function that stops this. */
export const listenToChannels = (api: Pick<RestContext, "flows">): (() => void) =>
  listenToMessages(api.flows);

/**
 * Runs automation steps on separate database connections, because a step may take long. Returns a function
 * that stops it.
 */
export function startAutomationWorkers(
  api: RestContext,
  connection: Parameters<typeof openDatabase>[0]["connection"],
): () => Promise<void> {
  const onIdleError = (error: Error) =>
    own.pool.ending || api.log.warn({ err: error }, "a database connection was lost");
  const own: Database = openDatabase({
    connection,
    runtime: api.database.runtime,
    size: AUTOMATION_WORKER_COUNT,
    onIdleError,
  });
  const work = new AutomationWorker(api.flows, own, createStepActions(api, createMailStep(api.settings)));
  return async () => {
    await work.stop();
    await own.close();
  };
}
