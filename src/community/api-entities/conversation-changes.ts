import { type Db, many, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { type PerViewerChange, toText, type Event } from "./per-viewer-entities.ts";

type ParticipantRow = { personId: string; state: string; isBlocked: boolean };

/**
 * Current and former participants of a conversation. `isBlocked` is true if a block separates them from
 * `personId`.
 */
const listParticipants = (db: Db, conversationId: string, personId: string | null) =>
  many(
    db,
    sql<ParticipantRow>`
      select t.person_id as "personId", t.state, exists (
        select from blocks b where (b.blocker_id = t.person_id and b.blocked_id = ${personId}::uuid)
          or (b.blocked_id = t.person_id and b.blocker_id = ${personId}::uuid)) as "isBlocked"
      from participants t where t.conversation_id = ${conversationId}::uuid`,
  );

export async function findConversationChanges(domainEvent: DomainEvent, db: Db): Promise<PerViewerChange[]> {
  const [conversationId, by, step] = [
    toText(domainEvent["conversationId"]),
    toText(domainEvent["by"]),
    domainEvent.type.split(".")[1],
  ];
  const subjectId = toText(domainEvent["personId"] ?? domainEvent["by"]);
  const participants = await listParticipants(db, conversationId, subjectId);
  const inside = participants
    .filter(({ state }) => state === "accepted" || state === "request")
    .map(({ personId }) => personId);
  const conversation = (event: Event, only: string[]): PerViewerChange => ({
    table: "Conversations",
    event,
    objectId: conversationId,
    only,
  });
  const participant = (event: Event, personId: string, only: string[]): PerViewerChange => {
    const ids = { conversationId, personId };
    return { table: "Participants", event, objectId: `${conversationId}:${personId}`, only, ids };
  };
  if (step === "written" && domainEvent["seq"] === 1)
    return [
      conversation("created", inside),
      ...participants.map(({ personId }) => participant("created", personId, inside)),
    ];
  if (step === "joined")
    return [conversation("created", [subjectId]), participant("created", subjectId, inside)];
  if (step === "left" || step === "removed") {
    const informed = participants
      .filter(({ personId, isBlocked }) => inside.includes(personId) && !isBlocked)
      .map(({ personId }) => personId);
    return [
      conversation("deleted", [subjectId]),
      participant("deleted", subjectId, [...informed, subjectId]),
    ];
  }
  // For a person who declines the request, the conversation is deleted.
  if (step === "participant_changed")
    return [conversation(inside.includes(by) ? "updated" : "deleted", [by])];
  if (step === "read") return [conversation("updated", [by])];
  if (step === "accepted") return [conversation("updated", [by]), participant("updated", by, inside)];
  return [conversation("updated", inside)];
}
