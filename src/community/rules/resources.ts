import { type ContentFacts, type GroupFacts, groupRules } from "./groups.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** An `image` is an uploaded picture; a `video` is a link to a player elsewhere. */
export type ResourceKind = "link" | "video" | "file" | "image" | "document";

/** `curates`: the viewer created the collection or curates it; `made`: they created it. */
export type CollectionFacts = {
  group: GroupFacts | null;
  audience: ContentFacts["audience"];
  createdAt: Date;
  curates: boolean;
  made: boolean;
};

/** A resource without a group is site-wide, for guests too. */
export type ResourceFacts = {
  group: GroupFacts | null;
  state: "draft" | "published" | "hidden" | "removed";
  keeperId: string | null;
  audience: ContentFacts["audience"];
  createdAt: Date;
};
/** `editsBy`: whether everyone who may write there can edit a document. */
export type ResourceEditFacts = ResourceFacts & { kind: ResourceKind; editsBy: "keeper" | "members" };

const isOwner = (who: Viewer, it: ResourceFacts) => who.id !== null && it.keeperId === who.id;
const isEstablished = (who: Viewer) => who.trust === "established" || isStaff(who);
/** Whether a reader of the resource's place may write there. */
const canWriteResource = (who: Viewer, { group }: Pick<ResourceFacts, "group">) =>
  isSignedIn(who) && !who.limited && (group === null || groupRules.write(who, group));
const canReadResource = (who: Viewer, it: ResourceFacts) =>
  it.group === null || groupRules.readContent(who, it.group, { audience: it.audience, at: it.createdAt });

/** Permissions in the library (product rules, 4.4). */
export const resourceRules = {
  see: (who: Viewer, it: ResourceFacts) =>
    it.state !== "removed" && canReadResource(who, it) && (it.state === "published" || isOwner(who, it)),
  /** A removed resource is visible to its owner and moderators until it is purged. */
  seeRemoved: (who: Viewer, it: ResourceFacts) =>
    it.state === "removed" &&
    canReadResource(who, it) &&
    (isOwner(who, it) || resourceRules.moderate(who, it)),
  comment: (who: Viewer, it: ResourceFacts) => it.state === "published" && canWriteResource(who, it),
  /** Newcomers add links only, except in groups they moderate. */
  add: (who: Viewer, kind: ResourceKind, group: GroupFacts | null) =>
    isSignedIn(who) &&
    !who.limited &&
    (group === null || groupRules.addResource(who, group)) &&
    (kind === "link" ||
      kind === "video" ||
      isEstablished(who) ||
      (group !== null && groupRules.amend(who, group))),
  /** Report another owner's resource to moderators. */
  report: (who: Viewer, it: ResourceFacts) =>
    isSignedIn(who) && resourceRules.see(who, it) && !isOwner(who, it),
  /** Moderate it: group moderators, or staff for site-wide ones. */
  moderate: (who: Viewer, it: Pick<ResourceFacts, "group">) =>
    it.group === null ? isSignedIn(who) && isStaff(who) && !who.limited : groupRules.moderate(who, it.group),
  /** Edit it as the owner, or an open document as a writer. */
  edit: (who: Viewer, it: ResourceEditFacts) =>
    it.state === "published" &&
    canWriteResource(who, it) &&
    (isOwner(who, it) || (isOpenForEditing(it) && (it.group !== null || isEstablished(who)))),
  /** Edit another owner's resource, with a reason. */
  amend: (who: Viewer, it: ResourceFacts) =>
    it.state === "published" &&
    !isOwner(who, it) &&
    (it.group === null ? resourceRules.moderate(who, it) : groupRules.amend(who, it.group)),
  /** Choose who may edit it. */
  open: (who: Viewer, it: ResourceEditFacts) =>
    it.kind === "document" &&
    ((isOwner(who, it) && canWriteResource(who, it)) || resourceRules.amend(who, it)),
  /** Remove it: an own one, or another's with a reason. */
  remove: (who: Viewer, it: ResourceFacts) =>
    (it.state === "published" || it.state === "hidden") &&
    ((isOwner(who, it) && canWriteResource(who, it)) || resourceRules.moderate(who, it)),
  /** Restore it: owners what they removed themselves, and moderators. */
  restore: (who: Viewer, it: ResourceFacts & { removedBy: string | null }) =>
    it.state === "removed" &&
    (resourceRules.moderate(who, it) ||
      (isOwner(who, it) && it.removedBy === who.id && canWriteResource(who, it))),
  /** Move it away: its owner and moderators of its place. */
  moveFrom: (who: Viewer, it: ResourceFacts) =>
    it.state === "published" &&
    ((isOwner(who, it) && canWriteResource(who, it)) || resourceRules.moderate(who, it)),
  /**
   * Move it there (null: site-wide): moderators of both places; its owner if they may add such a resource
   * there and no content of `others` gets new readers.
   */
  move: (who: Viewer, it: ResourceFacts & { kind: ResourceKind }, to: GroupFacts | null, others: boolean) =>
    resourceRules.moveFrom(who, it) &&
    ((resourceRules.moderate(who, it) && resourceRules.moderate(who, { group: to })) ||
      (isOwner(who, it) &&
        canWriteResource(who, it) &&
        resourceRules.add(who, it.kind, to) &&
        (!others || isReadableByEveryone(it)))),
  /** Feature it: admins, or owners of its group. */
  feature: (who: Viewer, it: ResourceFacts) =>
    it.state === "published" &&
    isSignedIn(who) &&
    !who.limited &&
    (it.group === null
      ? who.role === "admin"
      : canReadResource(who, it) && (groupRules.manage(who, it.group) || who.role === "admin")),
};

const isReadableByEveryone = ({ group, audience }: ResourceFacts) =>
  group === null || (group.visibility === "public" && audience === "group");
const isOpenForEditing = (it: ResourceEditFacts) => it.kind === "document" && it.editsBy === "members";

/** Collections: created by staff, in a group by moderators; also edited by curators. */
export const collectionRules = {
  see: (who: Viewer, it: CollectionFacts) =>
    it.group === null || groupRules.readContent(who, it.group, { audience: it.audience, at: it.createdAt }),
  make: (who: Viewer, group: GroupFacts | null) => isModerator(who, group),
  /** Add, remove and order items, and describe the collection. */
  curate: (who: Viewer, it: CollectionFacts) =>
    collectionRules.see(who, it) && (isModerator(who, it.group) || (it.curates && canWriteResource(who, it))),
  /** Name curators, and delete it. */
  manage: (who: Viewer, it: CollectionFacts) =>
    collectionRules.see(who, it) && (isModerator(who, it.group) || (it.made && canWriteResource(who, it))),
};

const isModerator = (who: Viewer, group: GroupFacts | null) =>
  isSignedIn(who) && !who.limited && (group === null ? isStaff(who) : groupRules.amend(who, group));
