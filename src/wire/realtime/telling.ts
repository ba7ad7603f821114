import { type Change, changesIn, concernedBy, memberIn, sightOf } from "#community/published";
import { uuidv7 } from "#platform/ids";
import type { Happening } from "#platform/outbox";
import type { Place } from "./caller.ts";
import { hideAnew, messageOf, sayGoodbye } from "./channels.ts";
import type { Filed } from "./filing.ts";
import { closeWhereShut } from "./revoke-subscriptions.ts";
import { peopleAmong, type RealtimeHouse, type Room } from "./room.ts";
import { askGuestsAgain, endSessions } from "./session-end.ts";
import { meets } from "./where.ts";

/**
 * Delivers a domain event to this process's subscribers: records, then counts, then revocations. If delivery
 * of records or counts fails, affected clients are disconnected and reload; a failed revocation concerns
 * everyone, and so it throws.
 */
export async function tell(house: RealtimeHouse, room: Room, happening: Happening): Promise<void> {
  for (const change of changesIn(happening)) await tellChange(house, room, change);
  await endWhatEnds(house, room, happening);
  await nudge(house, room, happening).catch((error: unknown) => {
    house.log.warn({ err: error, type: happening.type }, "whose figures changed could not be told on sockets");
    for (const caller of room.callers) if (room.own.has(caller.viewer.id ?? "")) caller.end();
  });
}

/** Delivers to subscribers of the record, if there are any. */
async function tellChange(house: RealtimeHouse, room: Room, change: Change) {
  const audience = room.filing.concernedBy(change);
  if (audience.length === 0) return;
  await show(house, change, audience).catch((error: unknown) => {
    house.log.warn({ err: error, table: change.table }, "a record could not be shown on sockets");
    for (const { caller } of audience) caller.end();
  });
}

/**
 * One statement loads the record with the permissions of all its subscribers; each gets what the rules allow.
 */
async function show(house: RealtimeHouse, change: Change, audience: Filed[]) {
  const sight = await sightOf(house.db, change, peopleAmong(audience.map(({ caller }) => caller)));
  if (!sight) return;
  for (const { caller, following } of audience) {
    const record = sight(caller.viewer.id);
    if (!record || !meets(following.where, record) || caller.subscriptions.get(following.id) !== following) continue;
    const data = change.event === "deleted" ? { ___class: record.___class, objectId: record.objectId } : record;
    caller.send("SUB_RES", { id: following.id, data });
  }
}

/**
 * Signals on their own channel that a person's counts may have changed, without numbers: they are loaded as
 * that person.
 */
async function nudge(house: RealtimeHouse, room: Room, happening: Happening) {
  if (room.own.size === 0) return;
  const about = { about: happening.type.split(".")[0], conversationId: happening["conversationId"] ?? null };
  const [messageId, at] = [uuidv7(), Date.now()];
  for (const { id: personId, news } of await concernedBy(house.db, happening, [...room.own])) {
    const message = messageOf(messageId, at, { ...about, news });
    for (const [caller, ids] of room.on(`user:${personId}`, "messages"))
      for (const id of ids) caller.send("SUB_RES", { id, data: message });
  }
}

const ABOUT_PERSON = /^person\.(status-changed|role-changed|left|erased|sessions-ended|blocked|unblocked)$/;

/**
 * Revokes access: sessions end, accounts are closed, people leave groups, groups and discussions are removed.
 */
async function endWhatEnds(house: RealtimeHouse, room: Room, happening: Happening) {
  const { type, by, personId, groupId, discussionId, fromDiscussionId, conversationId, resourceId } = happening;
  if (type === "settings.changed") return askGuestsAgain(house, room);
  if (type === "person.changed") return hide(house, room, String(personId));
  if (ABOUT_PERSON.test(type)) {
    await endSessions(
      house,
      room,
      [...room.callers].filter(({ viewer }) => viewer.id === personId),
    );
    // A block ends shared subscriptions of both people.
    const both = type === "person.blocked" ? [personId, by] : [personId];
    if (type === "person.blocked") partWays(room, String(personId), String(by));
    return closeWhereShut(house, room, ({ viewer }) => viewer.id !== null && both.includes(viewer.id));
  }
  if (/^conversation\.(left|removed|kept)$/.test(type)) {
    const gone = personId ?? by;
    return closeWhereShut(
      house,
      room,
      ({ viewer }) => viewer.id === gone,
      (place) => place.id === conversationId,
    );
  }
  // A deleted, moved or merged discussion may end someone's access.
  if (/^discussion\.(?!read|followed|started)/.test(type))
    return closeWhereShut(
      house,
      room,
      () => true,
      (place) => place.id === discussionId || place.id === fromDiscussionId,
    );
  if (/^resource\.(removed|moved)$/.test(type))
    return closeWhereShut(
      house,
      room,
      () => true,
      (place) => place.id === resourceId,
    );
  if (!type.startsWith("group.")) return;
  const subject = memberIn(happening);
  const inGroup = (place: Place) => place.groupId === groupId;
  await closeWhereShut(house, room, ({ viewer }) => subject === null || viewer.id === subject, inGroup);
}

/** After a privacy change: shows the person only to people who may still see them. */
async function hide(house: RealtimeHouse, room: Room, personId: string) {
  for (const caller of [...room.callers].filter(({ viewer }) => viewer.id === personId))
    for (const it of caller.subscriptions.values())
      if (it.kind === "channel" && it.side === "connect") await hideAnew(house, room, caller, it.channel);
}

/** Announces each of two people as gone to the other where both are present. */
function partWays(room: Room, one: string, other: string) {
  for (const [gone, left] of [
    [one, other],
    [other, one],
  ])
    for (const caller of room.callers)
      if (caller.viewer.id === gone)
        for (const it of caller.subscriptions.values())
          if (it.kind === "channel" && it.side === "connect") sayGoodbye(room, caller, it.channel, ({ viewer }) => viewer.id === left);
}
