import type { ArchiveRecord, RecordKind } from "../archive/records.ts";
import type { RecordReference } from "./record-ids.ts";

const toRecordNames = (kind: RecordKind, ...ids: (string | null | undefined)[]): RecordReference[] =>
  ids.flatMap((id) => (id ? [{ kind, id }] : []));

/** Entities that a record must reference. */
export function listRequiredNames(archiveRecord: ArchiveRecord): RecordReference[] {
  switch (archiveRecord.type) {
    case "membership":
      return [...toRecordNames("group", archiveRecord.group), ...toRecordNames("user", archiveRecord.user)];
    case "friendship":
    case "block":
    case "mute":
      return toRecordNames("user", archiveRecord.from, archiveRecord.to);
    case "discussion":
      return [...toRecordNames("group", archiveRecord.group), ...toRecordNames("user", archiveRecord.author)];
    case "post":
      return [
        ...toRecordNames("user", archiveRecord.author),
        ...(archiveRecord.discussion
          ? toRecordNames("discussion", archiveRecord.discussion)
          : toRecordNames("resource", archiveRecord.resource)),
      ];
    case "reaction":
    case "vote":
      return [...toRecordNames("post", archiveRecord.post), ...toRecordNames("user", archiveRecord.user)];
    case "revision":
      return [...toRecordNames("post", archiveRecord.post), ...toRecordNames("user", archiveRecord.by)];
    case "version":
      return [
        ...toRecordNames("resource", archiveRecord.resource),
        ...toRecordNames("user", archiveRecord.by),
      ];
    case "reading":
      return [
        ...toRecordNames("discussion", archiveRecord.discussion),
        ...toRecordNames("user", archiveRecord.user),
      ];
    case "conversation":
      return toRecordNames("user", archiveRecord.creator);
    case "message":
      return [
        ...toRecordNames("conversation", archiveRecord.conversation),
        ...toRecordNames("user", archiveRecord.author),
      ];
    case "message-reaction":
      return [
        ...toRecordNames("message", archiveRecord.message),
        ...toRecordNames("user", archiveRecord.user),
      ];
    case "file":
      return [...toRecordNames("user", archiveRecord.user), ...toRecordNames("group", archiveRecord.group)];
    case "resource":
      return [
        ...toRecordNames("user", archiveRecord.owner),
        ...toRecordNames("group", archiveRecord.group),
        ...toRecordNames("file", archiveRecord.file),
      ];
    case "line":
      return toRecordNames("discussion", archiveRecord.discussion);
    case "follow":
      return [
        ...toRecordNames("resource", archiveRecord.resource),
        ...toRecordNames("user", archiveRecord.user),
      ];
    case "bookmark":
      return [
        ...toRecordNames("user", archiveRecord.user),
        ...(archiveRecord.post
          ? toRecordNames("post", archiveRecord.post)
          : toRecordNames("resource", archiveRecord.resource)),
      ];
    case "start":
      return [
        ...toRecordNames("group", archiveRecord.group),
        ...(archiveRecord.discussion
          ? toRecordNames("discussion", archiveRecord.discussion)
          : toRecordNames("resource", archiveRecord.resource)),
      ];
    case "use":
      return [
        ...toRecordNames("resource", archiveRecord.resource),
        ...toRecordNames("post", archiveRecord.post),
      ];
    case "collection":
      return [
        ...toRecordNames("user", archiveRecord.curator),
        ...toRecordNames("group", archiveRecord.group),
      ];
    case "event-series":
    case "event":
    case "date-poll":
      return [...toRecordNames("group", archiveRecord.group), ...toRecordNames("user", archiveRecord.host)];
    case "attendance":
      return [...toRecordNames("event", archiveRecord.event), ...toRecordNames("user", archiveRecord.user)];
    case "date-poll-answer":
      return [
        ...toRecordNames("date-poll", archiveRecord.poll),
        ...toRecordNames("user", archiveRecord.user),
      ];
    case "user":
    case "group":
    case "setting":
      return [];
  }
}

/** Entities that a record may reference. */
export function listOptionalNames(archiveRecord: ArchiveRecord): RecordReference[] {
  if (archiveRecord.type === "group")
    return toRecordNames(
      "user",
      archiveRecord.owner,
      archiveRecord.opens?.by,
      ...archiveRecord.formerRules.map(({ by }) => by),
    );
  if (archiveRecord.type === "file") return toRecordNames("user", archiveRecord.owner);
  if (archiveRecord.type === "line")
    return [
      ...toRecordNames("user", archiveRecord.by),
      ...toRecordNames("discussion", archiveRecord.otherDiscussion),
      ...toRecordNames("group", archiveRecord.otherGroup),
    ];
  if (archiveRecord.type === "start") return toRecordNames("user", archiveRecord.by);
  if (archiveRecord.type === "collection")
    return toRecordNames("user", ...archiveRecord.helpers.flatMap(({ user, by }) => [user, by]));
  if (archiveRecord.type === "membership")
    return toRecordNames("user", archiveRecord.invitedBy, archiveRecord.bannedBy);
  if (archiveRecord.type === "discussion")
    return [
      ...toRecordNames(
        "user",
        archiveRecord.archivedBy,
        archiveRecord.pinnedBy,
        archiveRecord.lockedBy,
        archiveRecord.resolvedBy,
        archiveRecord.timer?.by,
      ),
      ...toRecordNames("post", archiveRecord.begunBy),
    ];
  if (archiveRecord.type === "resource")
    return toRecordNames("user", archiveRecord.featuredBy, archiveRecord.removedBy);
  if (archiveRecord.type === "post")
    return [
      ...toRecordNames("post", archiveRecord.replyTo, archiveRecord.movedTo, ...archiveRecord.movedFrom),
      ...toRecordNames("user", archiveRecord.takenBy, ...archiveRecord.mentions.map(({ user }) => user)),
      ...toRecordNames("group", ...archiveRecord.mentions.map(({ group }) => group)),
      ...toRecordNames("file", ...archiveRecord.files),
    ];
  if (archiveRecord.type === "message")
    return [
      ...toRecordNames("message", archiveRecord.replyTo),
      ...toRecordNames("file", ...archiveRecord.files),
      ...toRecordNames("user", ...archiveRecord.hiddenFrom.map(({ user }) => user)),
    ];
  if (archiveRecord.type === "version") return toRecordNames("file", archiveRecord.file);
  if (archiveRecord.type === "event-series") return toRecordNames("post", archiveRecord.post);
  if (archiveRecord.type === "event")
    return [
      ...toRecordNames("post", archiveRecord.post),
      ...toRecordNames("event-series", archiveRecord.series),
      ...toRecordNames(
        "user",
        archiveRecord.cancelledBy,
        archiveRecord.postponedBy,
        ...archiveRecord.hosts.map(({ user }) => user),
      ),
    ];
  if (archiveRecord.type === "attendance") return toRecordNames("user", archiveRecord.checkedInBy);
  if (archiveRecord.type === "date-poll")
    return [
      ...toRecordNames("user", archiveRecord.closedBy),
      ...toRecordNames("event", ...archiveRecord.times.map(({ event }) => event)),
    ];
  if (archiveRecord.type === "conversation")
    return toRecordNames(
      "user",
      ...archiveRecord.participants.map(({ user }) => user),
      ...archiveRecord.lines.flatMap(({ user, by }) => [user, by]),
    );
  return [];
}
