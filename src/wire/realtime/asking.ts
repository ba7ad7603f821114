import { equalities } from "#backend/tables";
import { followersOf, NOUNS, type Noun } from "#community/published";
import { isSignedIn } from "#community/rules";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import { getOwn } from "#platform/own-property";
import type { Caller, Following, Listening, Place, Subscription } from "./caller.ts";
import { arrive, greet } from "./channels.ts";
import { isConsole, overhearing } from "./console.ts";
import { keyFor } from "./filing.ts";
import { membersOnly } from "./handshake.ts";
import { InChannel, ObjectsChanges, RelationsChanges } from "./packets.ts";
import { parsed } from "./parsed.ts";
import { isFree, listening } from "./pub-sub/index.ts";
import type { RealtimeHouse, Room } from "./room.ts";
import { assertSharing, enterShared, isSharing, sharing } from "./shared/index.ts";
import type { TableFollowing } from "./tables/filing.ts";
import { assertFollowed, readTableFollowing } from "./tables/following.ts";
import { parseWhere } from "./where.ts";

/** Per socket. A page has about fifteen, an app some hundreds. */
const MOST_SUBSCRIPTIONS = 1_000;
/** Characters of all conditions of one socket. */
const LARGEST_QUESTIONS = 200_000;

const SIDES: Record<string, Listening["side"]> = {
  PUB_SUB_CONNECT: "connect",
  PUB_SUB_MESSAGES: "messages",
  PUB_SUB_COMMANDS: "commands",
  PUB_SUB_USERS: "users",
};

/**
 * Opens a subscription.
 * @throws 1009, 1011, `invalid`, `not-found` for what the caller may not know of, `too-many`
 */
export async function subscribe(house: RealtimeHouse, room: Room, caller: Caller, asked: { id: string; name: string; options?: unknown }) {
  assertFewRequests(room, caller);
  if (caller.isShut) throw membersOnly();
  assertRoom(room, caller, asked.id);
  const ofTable = tableQuestion(asked);
  if (ofTable) return followTable(house, room, caller, asked.id, ofTable);
  const subscription = read(caller, asked);
  // Opened before the permission check, so that no event is missed meanwhile; delivery checks permission
  // again.
  room.open(caller, subscription);
  if (subscription.kind === "shared")
    await assertSharing(house, caller).catch((refused: unknown) => {
      room.close(caller, subscription.id);
      throw refused;
    });
  for (const place of subscription.scopes) {
    const { groupId, may } = await lookedUp(house, room, caller, place);
    place.groupId = groupId;
    if (!may(caller.viewer.id)) {
      room.close(caller, subscription.id);
      throw notFound();
    }
  }
  if (caller.subscriptions.get(subscription.id) !== subscription) return;
  caller.send("SUB_READY", { id: subscription.id });
  if (subscription.kind === "channel") await enter(house, room, caller, subscription);
  if (subscription.kind === "shared") await enterShared(house, room, caller, subscription);
}

/**
 * @throws `too-many` above the requests per minute. A caller who continues is disconnected: refusals cost
 * time too, and a reconnecting client repeats every request.
 */
export function assertFewRequests(room: Room, caller: Caller): void {
  try {
    room.limits.countRequest(caller);
  } catch (error) {
    if (++caller.refusedRequests > MOST_REFUSED) caller.cut();
    throw error;
  }
}
const MOST_REFUSED = 200;

function assertRoom(room: Room, caller: Caller, id: string) {
  const { subscriptions, beginning } = caller;
  if (subscriptions.has(id)) return;
  if (subscriptions.size + beginning.size >= MOST_SUBSCRIPTIONS)
    throw new Refusal("too-many", `One connection can have ${MOST_SUBSCRIPTIONS} subscriptions.`);
  room.limits.assertShare(caller);
}

/** Options of a data-table subscription; null for any other. */
function tableQuestion({ name, options }: { name: string; options?: unknown }): ObjectsChanges | RelationsChanges | null {
  if (name === "RELATIONS_CHANGES") return parsed(RelationsChanges, options);
  if (name !== "OBJECTS_CHANGES") return null;
  const asked = parsed(ObjectsChanges, options);
  return Object.hasOwn(NOUNS, asked.tableName) ? null : asked;
}

async function followTable(house: RealtimeHouse, room: Room, caller: Caller, id: string, asked: ObjectsChanges | RelationsChanges) {
  const reading = room.lookups.run(caller.network, () => readTableFollowing(house, caller, id, asked));
  caller.beginning.set(id, reading);
  try {
    const following = await reading;
    // Unsubscribed meanwhile, replaced under the same id, or disconnected.
    if (caller.beginning.get(id) !== reading || !caller.socket.connected) return;
    assertSmall(caller, following);
    // Other subscriptions may have been opened during this lookup.
    if (!caller.subscriptions.has(id)) room.limits.assertShare(caller);
    room.open(caller, following);
    caller.send("SUB_READY", { id });
  } finally {
    if (caller.beginning.get(id) === reading) caller.beginning.delete(id);
  }
}

function assertSmall({ subscriptions }: Caller, { size, id }: TableFollowing) {
  const others = [...subscriptions.values()].reduce((sum, it) => sum + (it.kind === "table" && it.id !== id ? it.size : 0), 0);
  if (others + size > LARGEST_QUESTIONS)
    throw new Refusal("too-many", `The conditions of one connection can have ${LARGEST_QUESTIONS} characters together.`);
}

/** A page subscribes to a dozen things in one scope at once: they share one lookup. */
function lookedUp(house: RealtimeHouse, room: Room, caller: Caller, place: Place): ReturnType<typeof followersOf> {
  const key = `${place.kind}/${place.id}/${caller.viewer.id}`;
  const underWay = caller.asking.get(key);
  if (underWay) return underWay;
  const people = caller.viewer.id === null ? [] : [caller.viewer.id];
  const answer = room.lookups.run(caller.network, () => followersOf(house.db, place, people)).finally(() => caller.asking.delete(key));
  caller.asking.set(key, answer);
  return answer;
}

async function enter(house: RealtimeHouse, room: Room, caller: Caller, { channel, side, id }: Listening) {
  if (side === "connect") await arrive(house, room, caller, channel);
  if (side === "users") await greet(house, room, caller, channel, id);
}

function read(caller: Caller, asked: { id: string; name: string; options?: unknown }): Subscription {
  const { id, name, options } = asked;
  if (name === "OBJECTS_CHANGES") return readFollowing(id, options);
  if (isSharing(name)) return sharing(asked);
  if (isConsole(name)) return overhearing(caller, asked);
  const side = getOwn(SIDES, name);
  if (!side) throw new Refusal("invalid", `There is nothing to follow under the name ${name} here.`);
  const { channel, selector } = parsed(InChannel, options);
  if (isFree(channel)) return listening(caller, { id, channel, side, selector });
  if (selector) throw new Refusal("invalid", "On the community's own channels nothing can be selected.");
  return { kind: "channel", id, channel, side, scopes: placesOfChannel(caller, channel), selector: null };
}

function readFollowing(id: string, options: unknown): Following {
  const asked = parsed(ObjectsChanges, options);
  const { tableName, event, whereClause } = asked;
  assertFollowed(tableName, asked);
  const table = tableName as Noun;
  const where = whereClause?.trim() ? parseWhere(whereClause, table, NOUNS[table]) : null;
  return {
    kind: "records",
    id,
    table,
    event,
    where,
    key: keyFor(table, event, where),
    scopes: placesIn(table, where === null ? new Map() : equalities(where)),
  };
}

/**
 * Scopes named by a condition. A caller without access to one is refused at once instead of waiting for
 * nothing.
 */
function placesIn(table: Noun, settled: Map<string, string>): Place[] {
  const place = (kind: Place["kind"], id: string | undefined): Place[] => (id === undefined ? [] : [{ kind, id, groupId: null }]);
  if (table === "Groups") return place("face", settled.get("objectId"));
  if (table === "Messages") return place("conversation", settled.get("conversationId"));
  if (table === "Comments") return [...place("resource", settled.get("resourceId")), ...place("group", settled.get("groupId"))];
  const discussion = table === "Discussions" ? settled.get("objectId") : settled.get("discussionId");
  return [...place("discussion", discussion), ...place("group", settled.get("groupId"))];
}

const CHANNEL = /^(discussion|conversation|user):(.{36})$/;

/**
 * There are three kinds of channel: a discussion's, for its signed-in readers, a conversation's, and a
 * person's own.
 */
function placesOfChannel({ viewer }: Caller, channel: string): Place[] {
  const [, kind, id = ""] = CHANNEL.exec(channel) ?? [];
  if (!isSignedIn(viewer) || !isId(id) || (kind === "user" && id !== viewer.id)) throw notFound();
  return kind === "discussion" || kind === "conversation" ? [{ kind, id, groupId: null }] : [];
}
