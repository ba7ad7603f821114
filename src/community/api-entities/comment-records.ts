import { sql } from "#platform/database";
import {
  discussionRules,
  type PostFacts,
  type ResourceFacts,
  resourceRules,
  type PostStub,
} from "#community/rules";
import { groupSubscriberColumns, type SubscriberFacts } from "./subscriber-facts.ts";
import { toMilliseconds, defineRecordReader } from "./api-record.ts";

type CommentRow = {
  id: string;
  resourceId: string;
  /** Null for a resource of the site library. */
  groupId: string | null;
  resourceState: ResourceFacts["state"];
  audience: ResourceFacts["audience"];
  keptAt: Date;
  ownerId: string;
  number: number;
  authorId: string;
  body: string;
  state: PostFacts["state"];
  writtenAt: Date;
  editedAt: Date | null;
};

export type ResourceFactsRow = Pick<
  CommentRow,
  "groupId" | "resourceState" | "audience" | "keptAt" | "ownerId"
>;

/** Facts about the resource for one subscriber. */
export const toResourceFacts = (row: ResourceFactsRow, { group }: SubscriberFacts): ResourceFacts => ({
  group: row.groupId === null ? null : group,
  state: row.resourceState,
  audience: row.audience,
  createdAt: row.keptAt,
  ownerId: row.ownerId,
});

/** Columns of a resource that `toResourceFacts` needs. */
export const resourceFactsColumns = (resource: string) => {
  const r = sql.ref(resource);
  return sql`
  ${r}.group_id as "groupId", ${r}.state as "resourceState", ${r}.audience, ${r}.created_at as "keptAt",
  ${r}.owner_id as "ownerId"`;
};

/** Reads comments for subscribers who can see the resource. */
export const readComments = defineRecordReader<CommentRow, { stub: PostStub | null; unsigned: boolean }>({
  select: ({ ids }, people) => sql`
    select p.id, p.resource_id as "resourceId", ${resourceFactsColumns("r")}, p.number,
      p.author_id as "authorId",
      p.body_md as body, p.state, p.created_at as "writtenAt", p.edited_at as "editedAt",
      ${groupSubscriberColumns(people, sql`p.author_id`, "g")}
    from posts p join resources r on r.id = p.resource_id left join groups g on g.id = r.group_id
    where p.id = ${ids.objectId}`,
  see(row, subscriber) {
    const it = toResourceFacts(row, subscriber);
    if (!resourceRules.see(subscriber.viewer, it)) return null;
    // Outside groups, blocks apply to everyone, moderators included.
    const blocksViewer = it.group === null ? subscriber.blocks : subscriber.blocksViewer;
    const stub = discussionRules.stub(
      subscriber.viewer,
      { ...subscriber, ...row, blocksViewer },
      resourceRules.moderate(subscriber.viewer, it),
    );
    return { stub, unsigned: blocksViewer };
  },
  record: (row, { stub, unsigned }) => ({
    ___class: "Comments",
    objectId: row.id,
    ownerId: unsigned ? null : row.authorId,
    created: toMilliseconds(row.writtenAt),
    updated: toMilliseconds(row.editedAt),
    resourceId: row.resourceId,
    groupId: row.groupId,
    number: row.number,
    text: stub ? null : row.body,
    stub,
  }),
});
