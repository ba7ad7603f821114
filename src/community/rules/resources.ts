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
  ownerId: string | null;
  audience: ContentFacts["audience"];
  createdAt: Date;
};
/** `editsBy`: whether everyone who may write there can edit a document. */
export type ResourceEditFacts = ResourceFacts & { kind: ResourceKind; editsBy: "owner" | "members" };

const isOwner = (viewer: Viewer, it: ResourceFacts) => viewer.id !== null && it.ownerId === viewer.id;
const isEstablished = (viewer: Viewer) => viewer.trust === "established" || isStaff(viewer);
/** Whether a reader of the resource's place may write there. */
const canWriteResource = (viewer: Viewer, { group }: Pick<ResourceFacts, "group">) =>
  isSignedIn(viewer) && !viewer.limited && (group === null || groupRules.write(viewer, group));
const canReadResource = (viewer: Viewer, it: ResourceFacts) =>
  it.group === null || groupRules.readContent(viewer, it.group, { audience: it.audience, at: it.createdAt });

/** Permissions in the library (product rules, 4.4). */
export const resourceRules = {
  see: (viewer: Viewer, resourceFacts: ResourceFacts) =>
    resourceFacts.state !== "removed" &&
    canReadResource(viewer, resourceFacts) &&
    (resourceFacts.state === "published" || isOwner(viewer, resourceFacts)),
  /** A removed resource is visible to its owner and moderators until it is purged. */
  seeRemoved: (viewer: Viewer, resourceFacts: ResourceFacts) =>
    resourceFacts.state === "removed" &&
    canReadResource(viewer, resourceFacts) &&
    (isOwner(viewer, resourceFacts) || resourceRules.moderate(viewer, resourceFacts)),
  comment: (viewer: Viewer, it: ResourceFacts) => it.state === "published" && canWriteResource(viewer, it),
  /** Newcomers add links only, except in groups they moderate. */
  add: (viewer: Viewer, kind: ResourceKind, group: GroupFacts | null) =>
    isSignedIn(viewer) &&
    !viewer.limited &&
    (group === null || groupRules.addResource(viewer, group)) &&
    (kind === "link" ||
      kind === "video" ||
      isEstablished(viewer) ||
      (group !== null && groupRules.amend(viewer, group))),
  /** Report another owner's resource to moderators. */
  report: (viewer: Viewer, it: ResourceFacts) =>
    isSignedIn(viewer) && resourceRules.see(viewer, it) && !isOwner(viewer, it),
  /** Moderate it: group moderators, or staff for site-wide ones. */
  moderate: (viewer: Viewer, it: Pick<ResourceFacts, "group">) =>
    it.group === null
      ? isSignedIn(viewer) && isStaff(viewer) && !viewer.limited
      : groupRules.moderate(viewer, it.group),
  /** Edit it as the owner, or an open document as a writer. */
  edit: (viewer: Viewer, resourceEditFacts: ResourceEditFacts) =>
    resourceEditFacts.state === "published" &&
    canWriteResource(viewer, resourceEditFacts) &&
    (isOwner(viewer, resourceEditFacts) ||
      (isOpenForEditing(resourceEditFacts) && (resourceEditFacts.group !== null || isEstablished(viewer)))),
  /** Edit another owner's resource, with a reason. */
  amend: (viewer: Viewer, resourceFacts: ResourceFacts) =>
    resourceFacts.state === "published" &&
    !isOwner(viewer, resourceFacts) &&
    (resourceFacts.group === null
      ? resourceRules.moderate(viewer, resourceFacts)
      : groupRules.amend(viewer, resourceFacts.group)),
  /** Choose who may edit it. */
  open: (viewer: Viewer, it: ResourceEditFacts) =>
    it.kind === "document" &&
    ((isOwner(viewer, it) && canWriteResource(viewer, it)) || resourceRules.amend(viewer, it)),
  /** Remove it: an own one, or another's with a reason. */
  remove: (viewer: Viewer, it: ResourceFacts) =>
    (it.state === "published" || it.state === "hidden") &&
    ((isOwner(viewer, it) && canWriteResource(viewer, it)) || resourceRules.moderate(viewer, it)),
  /** Restore it: owners what they removed themselves, and moderators. */
  restore: (viewer: Viewer, it: ResourceFacts & { removedBy: string | null }) =>
    it.state === "removed" &&
    (resourceRules.moderate(viewer, it) ||
      (isOwner(viewer, it) && it.removedBy === viewer.id && canWriteResource(viewer, it))),
  /** Move it away: its owner and moderators of its place. */
  moveFrom: (viewer: Viewer, it: ResourceFacts) =>
    it.state === "published" &&
    ((isOwner(viewer, it) && canWriteResource(viewer, it)) || resourceRules.moderate(viewer, it)),
  /**
   * Move it there (null: site-wide): moderators of both places; its owner if they may add such a resource
   * there and no content of `others` gets new readers.
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
  /** Feature it: admins, or owners of its group. */
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

/** Collections: created by staff, in a group by moderators; also edited by curators. */
export const collectionRules = {
  see: (viewer: Viewer, it: CollectionFacts) =>
    it.group === null ||
    groupRules.readContent(viewer, it.group, { audience: it.audience, at: it.createdAt }),
  make: (viewer: Viewer, group: GroupFacts | null) => isModerator(viewer, group),
  /** Add, remove and order items, and describe the collection. */
  curate: (viewer: Viewer, it: CollectionFacts) =>
    collectionRules.see(viewer, it) &&
    (isModerator(viewer, it.group) || (it.curates && canWriteResource(viewer, it))),
  /** Name curators, and delete it. */
  manage: (viewer: Viewer, it: CollectionFacts) =>
    collectionRules.see(viewer, it) &&
    (isModerator(viewer, it.group) || (it.made && canWriteResource(viewer, it))),
};

const isModerator = (viewer: Viewer, group: GroupFacts | null) =>
  isSignedIn(viewer) &&
  !viewer.limited &&
  (group === null ? isStaff(viewer) : groupRules.amend(viewer, group));
