import { type ContentFacts, type GroupFacts, groupRules } from "./groups.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** An `image` is an uploaded picture; a `video` is a link to a player on another site. */
export type ResourceKind = "link" | "video" | "file" | "image" | "document";

/** `curates`: the viewer created the collection or curates it; `made`: they created it. */
export type CollectionFacts = {
  group: GroupFacts | null;
  audience: ContentFacts["audience"];
  createdAt: Date;
  curates: boolean;
  made: boolean;
};

/** Facts of a resource. Without a group it is site-wide, and guests can read it. */
export type ResourceFacts = {
  group: GroupFacts | null;
  state: "draft" | "published" | "hidden" | "removed";
  ownerId: string | null;
  audience: ContentFacts["audience"];
  createdAt: Date;
};
/** `editsBy`: who may edit a document; `members` is everyone who may write in its group. */
export type ResourceEditFacts = ResourceFacts & { kind: ResourceKind; editsBy: "owner" | "members" };
/**
 * Facts of a hidden resource. `hiddenAt`: null if it is not hidden, or was imported as hidden; `hiddenTimes`: 0
 * if it is not hidden; `returnedAt`: when a moderator asked its owner for changes.
 */
export type HiddenResourceFacts = { hiddenAt: Date | null; hiddenTimes: number; returnedAt: Date | null };

const isOwner = (viewer: Viewer, it: ResourceFacts) => viewer.id !== null && it.ownerId === viewer.id;
const isEstablished = (viewer: Viewer) => viewer.trust === "established" || isStaff(viewer);
/**
 * Whether the viewer may write in the resource's group or the site-wide library, provided that they can read
 * it.
 */
const canWriteResource = (viewer: Viewer, { group }: Pick<ResourceFacts, "group">) =>
  isSignedIn(viewer) && !viewer.limited && (group === null || groupRules.write(viewer, group));
const canReadResource = (viewer: Viewer, it: ResourceFacts) =>
  it.group === null || groupRules.readContent(viewer, it.group, { audience: it.audience, at: it.createdAt });

/** Whether the viewer may decide reports of the resource: site moderators, and moderators of its group. */
const canDecideReports = (viewer: Viewer, { group }: Pick<ResourceFacts, "group">) =>
  isSignedIn(viewer) && (isStaff(viewer) || (group !== null && groupRules.approveMembers(viewer, group)));

/** Permissions in the library (product rules, 4.4). */
export const resourceRules = {
  /** Whether the viewer sees the resource. A hidden one is seen by its owner and by those who decide its reports. */
  see: (viewer: Viewer, resourceFacts: ResourceFacts) =>
    resourceFacts.state !== "removed" &&
    canReadResource(viewer, resourceFacts) &&
    (resourceFacts.state === "published" ||
      isOwner(viewer, resourceFacts) ||
      (resourceFacts.state === "hidden" && canDecideReports(viewer, resourceFacts))),
  /** Whether the viewer sees a removed resource: its owner and moderators do, until it is deleted. */
  seeRemoved: (viewer: Viewer, resourceFacts: ResourceFacts) =>
    resourceFacts.state === "removed" &&
    canReadResource(viewer, resourceFacts) &&
    (isOwner(viewer, resourceFacts) || resourceRules.moderate(viewer, resourceFacts)),
  comment: (viewer: Viewer, it: ResourceFacts) => it.state === "published" && canWriteResource(viewer, it),
  /**
   * Whether the viewer may add a resource. Newcomers may only add links, except in groups that they
   * moderate.
   */
  add: (viewer: Viewer, kind: ResourceKind, group: GroupFacts | null) =>
    isSignedIn(viewer) &&
    !viewer.limited &&
    (group === null || groupRules.addResource(viewer, group)) &&
    (kind === "link" ||
      kind === "video" ||
      isEstablished(viewer) ||
      (group !== null && groupRules.amend(viewer, group))),
  /** Whether the viewer may report another owner's resource to moderators: also guests. */
  report: (viewer: Viewer, it: ResourceFacts) =>
    it.state === "published" && resourceRules.see(viewer, it) && !isOwner(viewer, it),
  /** Whether the viewer moderates the resource: group moderators do, or staff for site-wide resources. */
  moderate: (viewer: Viewer, it: Pick<ResourceFacts, "group">) =>
    it.group === null
      ? isSignedIn(viewer) && isStaff(viewer) && !viewer.limited
      : groupRules.moderate(viewer, it.group),
  /**
   * Whether the viewer may edit the resource: its owner, and for an open document everyone who may write
   * there.
   */
  edit: (viewer: Viewer, resourceEditFacts: ResourceEditFacts) =>
    resourceEditFacts.state === "published" &&
    canWriteResource(viewer, resourceEditFacts) &&
    (isOwner(viewer, resourceEditFacts) ||
      (isOpenForEditing(resourceEditFacts) && (resourceEditFacts.group !== null || isEstablished(viewer)))),
  /**
   * Whether the owner may edit a resource that reports hid, which makes it visible again and is possible only the
   * first time, or one that a moderator asked them to change.
   */
  mend: (viewer: Viewer, it: ResourceFacts & HiddenResourceFacts) =>
    it.state === "hidden" &&
    (it.returnedAt !== null || (it.hiddenAt !== null && it.hiddenTimes === 1)) &&
    isOwner(viewer, it) &&
    canWriteResource(viewer, it),
  /** Whether the viewer may show a hidden resource of another owner without deciding its reports. */
  unhide: (viewer: Viewer, it: ResourceFacts) =>
    it.state === "hidden" && !isOwner(viewer, it) && resourceRules.moderate(viewer, it),
  /** Whether the viewer may edit another owner's resource, with a reason. */
  amend: (viewer: Viewer, resourceFacts: ResourceFacts) =>
    resourceFacts.state === "published" &&
    !isOwner(viewer, resourceFacts) &&
    (resourceFacts.group === null
      ? resourceRules.moderate(viewer, resourceFacts)
      : groupRules.amend(viewer, resourceFacts.group)),
  /** Whether the viewer may choose who can edit the resource. */
  open: (viewer: Viewer, it: ResourceEditFacts) =>
    it.kind === "document" &&
    ((isOwner(viewer, it) && canWriteResource(viewer, it)) || resourceRules.amend(viewer, it)),
  /** Whether the viewer may remove the resource: their own, or another owner's with a reason. */
  remove: (viewer: Viewer, it: ResourceFacts) =>
    (it.state === "published" || it.state === "hidden") &&
    ((isOwner(viewer, it) && canWriteResource(viewer, it)) || resourceRules.moderate(viewer, it)),
  /** Whether the viewer may restore the resource: moderators, and owners who removed it themselves. */
  restore: (viewer: Viewer, it: ResourceFacts & { removedBy: string | null }) =>
    it.state === "removed" &&
    (resourceRules.moderate(viewer, it) ||
      (isOwner(viewer, it) && it.removedBy === viewer.id && canWriteResource(viewer, it))),
  /** Whether the viewer may move the resource: its owner, and moderators of its current place. */
  moveFrom: (viewer: Viewer, it: ResourceFacts) =>
    it.state === "published" &&
    ((isOwner(viewer, it) && canWriteResource(viewer, it)) || resourceRules.moderate(viewer, it)),
  /**
   * Whether the viewer may move the resource to `to` (null: site-wide). Moderators of both places may. The
   * owner may if they may add a resource of this kind there and, with content of `others`, if everyone can
   * read the resource already.
   */
  move: (
    viewer: Viewer,
    it: ResourceFacts & { kind: ResourceKind },
    to: GroupFacts | null,
    others: boolean,
  ) =>
    resourceRules.moveFrom(viewer, it) &&
    ((resourceRules.moderate(viewer, it) && resourceRules.moderate(viewer, { group: to })) ||
      (isOwner(viewer, it) &&
        canWriteResource(viewer, it) &&
        resourceRules.add(viewer, it.kind, to) &&
        (!others || isReadableByEveryone(it)))),
  /** Whether the viewer may feature the resource: admins, or owners of its group. */
  feature: (viewer: Viewer, resourceFacts: ResourceFacts) =>
    resourceFacts.state === "published" &&
    isSignedIn(viewer) &&
    !viewer.limited &&
    (resourceFacts.group === null
      ? viewer.role === "admin"
      : canReadResource(viewer, resourceFacts) &&
        (groupRules.manage(viewer, resourceFacts.group) || viewer.role === "admin")),
};

const isReadableByEveryone = ({ group, audience }: ResourceFacts) =>
  group === null || (group.visibility === "public" && audience === "group");
const isOpenForEditing = (it: ResourceEditFacts) => it.kind === "document" && it.editsBy === "members";

/**
 * Permissions of collections. Staff create site-wide collections, moderators those of their group; curators
 * may edit them too.
 */
export const collectionRules = {
  see: (viewer: Viewer, it: CollectionFacts) =>
    it.group === null ||
    groupRules.readContent(viewer, it.group, { audience: it.audience, at: it.createdAt }),
  make: (viewer: Viewer, group: GroupFacts | null) => isModerator(viewer, group),
  /** Whether the viewer may add, remove and sort items, and describe the collection. */
  curate: (viewer: Viewer, it: CollectionFacts) =>
    collectionRules.see(viewer, it) &&
    (isModerator(viewer, it.group) || (it.curates && canWriteResource(viewer, it))),
  /** Whether the viewer may appoint curators and delete the collection. */
  manage: (viewer: Viewer, it: CollectionFacts) =>
    collectionRules.see(viewer, it) &&
    (isModerator(viewer, it.group) || (it.made && canWriteResource(viewer, it))),
};

const isModerator = (viewer: Viewer, group: GroupFacts | null) =>
  isSignedIn(viewer) &&
  !viewer.limited &&
  (group === null ? isStaff(viewer) : groupRules.amend(viewer, group));
