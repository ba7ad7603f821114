import { sql } from "#platform/database";
import { blockersOf } from "#community/friends";
import { viewersTie } from "#community/groups";
import { resourcesGroup, resourceVisible, shelfVisible } from "#community/resources";
import type { Viewer } from "#community/rules";
import { unlessKept } from "./blocks.ts";
import { at, common, int, json, one, type Piece, type PublishedNoun, ref, several, string, text } from "./noun.ts";
import { stubOf } from "./talk.ts";

const isSeen = (viewer: Viewer, id: Piece): Piece =>
  sql`exists (select from resources r ${resourcesGroup(viewer)} where r.id = ${id} and ${resourceVisible(viewer)})`;

/** The resource's owner, for staff and people not blocked either way. */
const keeper = (viewer: Viewer, alias: string): Piece =>
  sql`case when ${at(alias, "owner_id")} <> all(${blockersOf(viewer)}) then ${at(alias, "owner_id")} end`;

export const Resources: PublishedNoun = {
  name: "Resources",
  view: "resources",
  about: "What the library holds, to whoever finds it there. Without a group it is for the whole community.",
  columns: [
    ...common(ref("objectId"), keeper),
    ref("groupId"),
    string("kind"),
    string("title"),
    string("why"),
    string("url"),
    string("siteName"),
    text("text"),
    json("tags"),
    string("language"),
    string("licence"),
    string("state"),
    string("health"),
    int("version"),
    int("commentsCount"),
    string("editsBy"),
    int("changes"),
  ],
  relations: [one("group", "Groups", "group_id"), one("keeper", "Users", "owner_id"), several("comments", "Comments", "resource_id")],
  visible: (viewer, alias) => isSeen(viewer, at(alias, "object_id")),
};

const commentStub = (viewer: Viewer, alias: string): Piece => stubOf(viewer, alias, sql`false`);

export const Comments: PublishedNoun = {
  name: "Comments",
  view: "comments",
  about: "What is said under resources, to whoever finds the resource. Stubs are those of posts.",
  columns: [
    ...common(ref("objectId"), unlessKept),
    string("authorName", (viewer, alias) => unlessKept(viewer, alias, "author_name")),
    ref("resourceId"),
    ref("groupId"),
    int("number"),
    text("text", (viewer, alias) => sql`case when ${commentStub(viewer, alias)} is null then ${at(alias, "text")} end`),
    string("stub", commentStub),
    int("version"),
  ],
  relations: [one("resource", "Resources", "resource_id"), one("author", "Users", "owner_id")],
  visible: (viewer, alias) => isSeen(viewer, at(alias, "resource_id")),
};

export const Collections: PublishedNoun = {
  name: "Collections",
  view: "collections",
  about: "Shelves of the library, with what the viewer finds on them.",
  columns: [...common(ref("objectId"), keeper), ref("groupId"), string("title"), text("about")],
  relations: [
    one("group", "Groups", "group_id"),
    { name: "resources", toTable: "Resources", kind: "ONE_TO_MANY", via: { links: "collection_resources" } },
  ],
  visible: (viewer, alias) => sql`exists (select from collections c left join groups g on g.id = c.group_id ${viewersTie(viewer)}
      where c.id = ${at(alias, "object_id")} and ${shelfVisible})`,
};
