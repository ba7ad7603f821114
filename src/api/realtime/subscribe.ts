import { findEqualities } from "#baas/data";
import { listScopeFollowers, FOLLOWED_ENTITIES, type FollowedEntity } from "#community/api-entities";
import { isSignedIn } from "#community/rules";
import { isId } from "#platform/ids";
import { msg } from "#platform/messages";
import { notFound, Refusal } from "#platform/refusal";
import { getOwnProperty, isKeyOf } from "#platform/objects";
import type {
  Caller,
  RecordSubscription,
  ChannelSubscription,
  SubscriptionScope,
  Subscription,
} from "./realtime-caller.ts";
import { joinChannel, sendPresentPeople } from "./community-channels.ts";
import { isLogSubscription, readLogSubscription } from "./log-subscriptions.ts";
import { subscriptionKey } from "./subscription-index.ts";
import { membersOnlyRefusal } from "./handshake.ts";
import { ChannelOptions, RecordChangesOptions, RelationChangesOptions } from "./packet-schemas.ts";
import { parsePacket } from "./parse-packet.ts";
import { isPubSubChannel, readChannelSubscription } from "./pub-sub/index.ts";
import type { RealtimeContext, SubscriptionRegistry } from "./subscription-registry.ts";
import {
  assertMayUseSharedObjects,
  joinSharedObject,
  isSharedObjectSubscription,
  readSharedObjectSubscription,
} from "./shared-objects/index.ts";
import type { TableSubscription } from "./data/table-subscription-index.ts";
import { assertChangesOptionsSupported, readTableSubscription } from "./data/table-subscription.ts";
import { parseRecordCondition } from "./record-condition.ts";

/** Maximum subscriptions per socket. A page has about fifteen, an app some hundreds. */
const MAX_SUBSCRIPTIONS = 1_000;
/** Maximum characters of all conditions of one socket. */
const MAX_CONDITION_CHARACTERS = 200_000;

const CHANNEL_SIDES: Record<string, ChannelSubscription["side"]> = {
  PUB_SUB_CONNECT: "connect",
  PUB_SUB_MESSAGES: "messages",
  PUB_SUB_COMMANDS: "commands",
  PUB_SUB_USERS: "users",
};

/**
 * Opens a subscription.
 * @throws 1009, 1011, `invalid`, `not-found` for what the caller may not know of, `too-many`
 */
export async function subscribe(
  app: Pick<
    RealtimeContext,
    "db" | "database" | "now" | "settings" | "tables" | "publishToOthers" | "shareWithOthers"
  >,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  request: { id: string; name: string; options?: unknown },
) {
  assertRequestLimit(subscriptions, caller);
  if (caller.isLockedOut) throw membersOnlyRefusal();
  assertCapacity(subscriptions, caller, request.id);
  const ofTable = readTableOptions(request);
  if (ofTable) return subscribeToTable(app, subscriptions, caller, request.id, ofTable);
  const subscription = readSubscription(caller, request);
  // The subscription is opened before the permission check, so that no event is missed during the check;
  // each delivery checks permission anyway.
  subscriptions.open(caller, subscription);
  if (subscription.kind === "shared")
    await assertMayUseSharedObjects(app, caller).catch((refused: unknown) => {
      subscriptions.close(caller, subscription.id);
      throw refused;
    });
  for (const scope of subscription.scopes) {
    const { groupId, isAllowed } = await lookUpFollowers(app, subscriptions, caller, scope);
    scope.groupId = groupId;
    if (!isAllowed(caller.viewer.id)) {
      subscriptions.close(caller, subscription.id);
      throw notFound();
    }
  }
  if (caller.subscriptions.get(subscription.id) !== subscription) return;
  caller.send("SUB_READY", { id: subscription.id });
  if (subscription.kind === "channel") await enterChannel(app, subscriptions, caller, subscription);
  if (subscription.kind === "shared") await joinSharedObject(app, subscriptions, caller, subscription);
}

/**
 * Counts a request against the limit per minute. A caller who continues after many refusals is disconnected:
 * refusals cost time too.
 * @throws `too-many`
 */
export function assertRequestLimit(subscriptions: SubscriptionRegistry, caller: Caller): void {
  try {
    subscriptions.limits.countRequest(caller);
  } catch (error) {
    if (++caller.refusedRequests > MAX_REFUSED) caller.cut();
    throw error;
  }
}
const MAX_REFUSED = 200;

function assertCapacity(registry: SubscriptionRegistry, caller: Caller, id: string) {
  const { subscriptions, opening } = caller;
  if (subscriptions.has(id)) return;
  if (subscriptions.size + opening.size >= MAX_SUBSCRIPTIONS)
    throw new Refusal(
      "too-many",
      msg("One connection can have at most {count} subscriptions.", { count: MAX_SUBSCRIPTIONS }),
    );
  registry.limits.assertShare(caller);
}

/** Options of a data-table subscription; null for any other. */
function readTableOptions({
  name,
  options,
}: {
  name: string;
  options?: unknown;
}): RecordChangesOptions | RelationChangesOptions | null {
  if (name === "RELATIONS_CHANGES") return parsePacket(RelationChangesOptions, options);
  if (name !== "OBJECTS_CHANGES") return null;
  const changesOptions = parsePacket(RecordChangesOptions, options);
  return isKeyOf(FOLLOWED_ENTITIES, changesOptions.tableName) ? null : changesOptions;
}

async function subscribeToTable(
  app: Pick<RealtimeContext, "database" | "now" | "settings" | "tables">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  id: string,
  changesOptions: RecordChangesOptions | RelationChangesOptions,
) {
  const reading = subscriptions.lookups.run(caller.network, () =>
    readTableSubscription(app, caller, id, changesOptions),
  );
  caller.opening.set(id, reading);
  try {
    const following = await reading;
    // The client has unsubscribed, replaced the subscription under the same id, or disconnected.
    if (caller.opening.get(id) !== reading || !caller.socket.connected) return;
    assertConditionSize(caller, following);
    // Other subscriptions may have been opened during this lookup, so the limits are checked again.
    if (!caller.subscriptions.has(id)) subscriptions.limits.assertShare(caller);
    subscriptions.open(caller, following);
    caller.send("SUB_READY", { id });
  } finally {
    if (caller.opening.get(id) === reading) caller.opening.delete(id);
  }
}

function assertConditionSize({ subscriptions }: Caller, { size, id }: TableSubscription) {
  const others = [...subscriptions.values()].reduce(
    (sum, it) => sum + (it.kind === "table" && it.id !== id ? it.size : 0),
    0,
  );
  if (others + size > MAX_CONDITION_CHARACTERS)
    throw new Refusal(
      "too-many",
      msg("The conditions of one connection can have at most {count} characters in total.", {
        count: MAX_CONDITION_CHARACTERS,
      }),
    );
}

/**
 * Looks up how a caller follows a scope. Concurrent requests of one page for the same scope share the
 * lookup.
 */
function lookUpFollowers(
  app: Pick<RealtimeContext, "db">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  scope: SubscriptionScope,
): ReturnType<typeof listScopeFollowers> {
  const key = `${scope.kind}/${scope.id}/${caller.viewer.id}`;
  const pending = caller.scopeLookups.get(key);
  if (pending) return pending;
  const people = caller.viewer.id === null ? [] : [caller.viewer.id];
  const answer = subscriptions.lookups
    .run(caller.network, () => listScopeFollowers(app.db, scope, people))
    .finally(() => caller.scopeLookups.delete(key));
  caller.scopeLookups.set(key, answer);
  return answer;
}

async function enterChannel(
  app: Pick<RealtimeContext, "db" | "publishToOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  { channel, side, id }: ChannelSubscription,
) {
  if (side === "connect") await joinChannel(app, subscriptions, caller, channel);
  if (side === "users") await sendPresentPeople(app, subscriptions, caller, channel, id);
}

function readSubscription(
  caller: Caller,
  request: { id: string; name: string; options?: unknown },
): Subscription {
  const { id, name, options } = request;
  if (name === "OBJECTS_CHANGES") return readRecordSubscription(id, options);
  if (isSharedObjectSubscription(name)) return readSharedObjectSubscription(request);
  if (isLogSubscription(name)) return readLogSubscription(caller, request);
  const side = getOwnProperty(CHANNEL_SIDES, name);
  if (!side) throw new Refusal("invalid", msg("There is no subscription type {name}.", { name }));
  const { channel, selector } = parsePacket(ChannelOptions, options);
  if (isPubSubChannel(channel)) return readChannelSubscription(caller, { id, channel, side, selector });
  if (selector) throw new Refusal("invalid", "The community's own channels do not support selectors.");
  return { kind: "channel", id, channel, side, scopes: channelScopes(caller, channel), selector: null };
}

function readRecordSubscription(id: string, options: unknown): RecordSubscription {
  const changesOptions = parsePacket(RecordChangesOptions, options);
  const { tableName: table, event, whereClause } = changesOptions;
  // Other tables have subscriptions of their own (`readTableOptions`).
  if (!isKeyOf(FOLLOWED_ENTITIES, table)) throw notFound();
  assertChangesOptionsSupported(table, changesOptions);
  const where = whereClause?.trim()
    ? parseRecordCondition(whereClause, table, FOLLOWED_ENTITIES[table])
    : null;
  return {
    kind: "records",
    id,
    table,
    event,
    where,
    key: subscriptionKey(table, event, where),
    scopes: conditionScopes(table, where === null ? new Map() : findEqualities(where)),
  };
}

/**
 * Scopes that a condition names. A caller without access to one of them is refused at once, since the
 * subscription would never receive anything.
 */
function conditionScopes(table: FollowedEntity, settled: Map<string, string>): SubscriptionScope[] {
  const toScopes = (kind: SubscriptionScope["kind"], id: string | undefined): SubscriptionScope[] =>
    id === undefined ? [] : [{ kind, id, groupId: null }];
  if (table === "Groups") return toScopes("face", settled.get("objectId"));
  if (table === "Messages") return toScopes("conversation", settled.get("conversationId"));
  if (table === "Comments")
    return [...toScopes("resource", settled.get("resourceId")), ...toScopes("group", settled.get("groupId"))];
  const discussion = table === "Discussions" ? settled.get("objectId") : settled.get("discussionId");
  return [...toScopes("discussion", discussion), ...toScopes("group", settled.get("groupId"))];
}

const CHANNEL_NAME = /^(discussion|conversation|user):(.{36})$/;

/**
 * Scopes of a community channel, which belongs to a discussion (open to its signed-in readers), a
 * conversation, or a person.
 */
function channelScopes({ viewer }: Caller, channel: string): SubscriptionScope[] {
  const [, kind, id = ""] = CHANNEL_NAME.exec(channel) ?? [];
  if (!isSignedIn(viewer) || !isId(id) || (kind === "user" && id !== viewer.id)) throw notFound();
  return kind === "discussion" || kind === "conversation" ? [{ kind, id, groupId: null }] : [];
}
