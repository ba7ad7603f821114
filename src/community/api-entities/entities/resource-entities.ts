import { sql } from "#platform/database";
import { blockerIds } from "#community/friends";
import { viewerMembership } from "#community/groups";
import { joinResourceGroup, isResourceVisible, isCollectionVisible } from "#community/resources";
import type { Viewer } from "#community/rules";
import { unlessOwnerBlocked } from "./blocked-owners.ts";
import {
  columnRef,
  commonColumns,
  intColumn,
  jsonColumn,
  toOne,
  type SqlFragment,
  type ApiEntity,
  idColumn,
  toMany,
  stringColumn,
  textColumn,
} from "./entity.ts";
import { postStubColumn } from "./discussion-entities.ts";

const resourceReadable = (viewer: Viewer, id: SqlFragment): SqlFragment =>
  sql`exists (select from resources r ${joinResourceGroup(viewer, "r", "g", "m")}
    where r.id = ${id} and ${isResourceVisible(viewer, "r", "g", "m")})`;

/** The resource's owner; null if the owner blocks the viewer. Staff see every owner. */
const resourceOwner = (viewer: Viewer, alias: string): SqlFragment =>
  sql`case
    when ${columnRef(alias, "owner_id")} <> all(${blockerIds(viewer)}) then ${columnRef(alias, "owner_id")}
    end`;

export const Resources: ApiEntity = {
  name: "Resources",
  view: "resources",
  about:
    "Resources of the library that the viewer can see. Without a group they belong to the whole community.",
  columns: [
    ...commonColumns(idColumn("objectId"), resourceOwner),
    idColumn("groupId"),
    stringColumn("kind"),
    stringColumn("title"),
    stringColumn("why"),
    stringColumn("url"),
    stringColumn("siteName"),
    textColumn("text"),
    jsonColumn("tags"),
    stringColumn("language"),
    stringColumn("licence"),
    stringColumn("state"),
    stringColumn("health"),
    intColumn("version"),
    intColumn("commentsCount"),
    stringColumn("editsBy"),
    intColumn("changes"),
  ],
  relations: [
    toOne("group", "Groups", "group_id"),
    toOne("owner", "Users", "owner_id"),
    toMany("comments", "Comments", "resource_id"),
  ],
  visible: (viewer, alias) => resourceReadable(viewer, columnRef(alias, "object_id")),
};

const commentStub = (viewer: Viewer, alias: string): SqlFragment => postStubColumn(viewer, alias, sql`false`);

export const Comments: ApiEntity = {
  name: "Comments",
  view: "comments",
  about: "Comments on resources that the viewer can see. `stub` is as for posts.",
  columns: [
    ...commonColumns(idColumn("objectId"), unlessOwnerBlocked),
    stringColumn("authorName", (viewer, alias) => unlessOwnerBlocked(viewer, alias, "author_name")),
    idColumn("resourceId"),
    idColumn("groupId"),
    intColumn("number"),
    textColumn(
      "text",
      (viewer, alias) =>
        sql`case when ${commentStub(viewer, alias)} is null then ${columnRef(alias, "text")} end`,
    ),
    stringColumn("stub", commentStub),
    intColumn("version"),
  ],
  relations: [toOne("resource", "Resources", "resource_id"), toOne("author", "Users", "owner_id")],
  visible: (viewer, alias) => resourceReadable(viewer, columnRef(alias, "resource_id")),
};

export const Collections: ApiEntity = {
  name: "Collections",
  view: "collections",
  about: "Collections of the library, with the resources that the viewer can see.",
  columns: [
    ...commonColumns(idColumn("objectId"), resourceOwner),
    idColumn("groupId"),
    stringColumn("title"),
    textColumn("about"),
  ],
  relations: [
    toOne("group", "Groups", "group_id"),
    { name: "resources", toTable: "Resources", kind: "ONE_TO_MANY", via: { links: "collection_resources" } },
  ],
  visible: (viewer, alias) => sql`exists (select from collections c left
    join groups g on g.id = c.group_id ${viewerMembership(viewer, "g", "m")}
      where c.id = ${columnRef(alias, "object_id")} and ${isCollectionVisible("c", "g", "m")})`,
};
