import { run, sql, type Tx } from "#platform/database";
import type { Visibility } from "#community/rules";

type FormerContent = {
  authorId: string;
  groupId: string;
  formerName: string;
  visibility: Visibility;
  discussionId: string;
  deletedId: string;
  replyId: string;
  resourceId: string;
  conversationId: string;
  eventId: string;
  datePollId: string;
};

/** Notifies everyone of content in the group, as if all had once been members. */
export async function insertFormerNotifications(tx: Tx, formerContent: FormerContent): Promise<void> {
  const {
    authorId,
    groupId,
    formerName,
    visibility,
    discussionId,
    deletedId,
    replyId,
    resourceId,
    conversationId,
    eventId,
    datePollId,
  } = formerContent;
  // Everyone received all these notifications while they could see the content.
  await run(
    tx,
    sql`insert into notifications (id, person_id, kind, object_kind, object_id, reason, actors, latest_id,
      count, created_at, updated_at)
        select gen_random_uuid(), p.id, it.kind, it.about, it.id, 'watching', array[${authorId}::uuid],
          it.latest, it.count, ${tx.now}, ${tx.now} from people p,
          (values ('new_reply', 'discussion', ${discussionId}::uuid, ${replyId}::uuid, 1),
          ('reaction', 'discussion', ${discussionId}::uuid, null, 2),
            ('new_reply', 'discussion', ${deletedId}::uuid, null, 2),
            ('group_archived', 'group', ${groupId}::uuid, null, 1),
            ('comment', 'resource', ${resourceId}::uuid, null, 1),
            ('event_changed', 'event', ${eventId}::uuid, null, 1),
            ('new_date_poll', 'date_poll', ${datePollId}::uuid, null, 1),
              ('message', 'conversation', ${conversationId}::uuid, null, 2)) it (kind, about, id, latest,
                count)`,
  );
  // Everyone was removed from the group under its former name, which the notification contains.
  await run(
    tx,
    sql`insert into notifications (id, person_id, kind, object_kind, object_id, reason, detail, stored_name,
      words, created_at, updated_at)
        select gen_random_uuid(), id, 'group_decision', 'group', ${groupId}, 'about_you', 'removed',
          ${formerName}, 'Shouting.', ${tx.now}, ${tx.now} from people`,
  );
  // Everyone also received notices of the group's visibility change and of its place in the approval queue.
  await run(
    tx,
    sql`insert into notifications (id, person_id, kind, object_kind, object_id, reason, detail, created_at,
      updated_at)
        select gen_random_uuid(), p.id, it.kind, 'group', ${groupId}, it.reason, it.detail, ${tx.now},
          ${tx.now} from people p,
          (values ('group_opening', 'member', ${visibility}), ('group_waits', 'staff', '')) it (kind, reason,
            detail)`,
  );
}
