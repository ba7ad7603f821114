import { type LogBatch, getLogBatch, type LogKind } from "#baas/logging";
import { notFound } from "#platform/refusal";
import type { Caller, LogSubscription } from "./realtime-caller.ts";
import type { RealtimeContext, SubscriptionRegistry } from "./subscription-registry.ts";
import { listPersonIds } from "./person-ids.ts";
import { filterAdmins } from "#community/accounts";

const LOG_KINDS: Record<string, LogKind> = {
  LOGGING_MESSAGES: "logging",
  CONSOLE_MESSAGES: "console",
  DEVELOPER_MESSAGES: "developer",
  AUTOMATION_MESSAGES: "automation",
};
/**
 * Maximum log lines per packet. Of a longer batch only the latest lines are sent; the log has all of them.
 */
const MAX_LINES = 100;

/** Reference to log lines stored by another process. */
export type RemoteLogBatch = Pick<LogBatch, "kind" | "id">;

export const isLogSubscription = (name: string): boolean => Object.hasOwn(LOG_KINDS, name);

/**
 * Reads a log subscription.
 * @throws `not-found` for callers other than admins and the server key
 */
export function readLogSubscription(
  { viewer, withServerKey }: Caller,
  { id, name }: { id: string; name: string },
): LogSubscription {
  if (viewer.role !== "admin" && !withServerKey) throw notFound();
  return { kind: "console", id, about: LOG_KINDS[name]!, scopes: [] };
}

const listenerName = (about: LogKind) => `console/${about}`;
/** Listener name of a log subscription. */
export const logListenerName = ({ about }: LogSubscription): string => listenerName(about);

/** Delivers log lines to subscribed admins; the role is checked again on each delivery. */
export async function deliverLogLines(
  app: Pick<RealtimeContext, "database" | "settings">,
  subscriptions: SubscriptionRegistry,
  { kind, lines }: LogBatch,
): Promise<void> {
  const listeners = [...subscriptions.listeners.under(listenerName(kind))];
  if (listeners.length === 0) return;
  const admins = await filterAdmins(app, listPersonIds(listeners.map(([caller]) => caller)));
  const data = lines.slice(-MAX_LINES);
  for (const [caller, ids] of listeners) {
    const may = caller.withServerKey || (caller.viewer.id !== null && admins.has(caller.viewer.id));
    for (const id of ids)
      if (may) caller.send("SUB_RES", { id, data });
      else if (subscriptions.close(caller, id)) caller.refuse("SUB_RES", id, notFound());
  }
}

/** Loads and delivers log lines stored by another process, if this process has listeners for them. */
export async function deliverRemoteLogLines(
  app: Pick<RealtimeContext, "database" | "settings" | "logs">,
  subscriptions: SubscriptionRegistry,
  { kind, id }: RemoteLogBatch,
): Promise<void> {
  if (subscriptions.listeners.under(listenerName(kind)).size > 0)
    await deliverLogLines(app, subscriptions, await getLogBatch(app.logs, kind, id));
}
