import { type ContentFacts, type GroupFacts, groupRules } from "./groups.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** An `image` is a file that is looked at here; a `video` a link to what plays elsewhere. */
export type ResourceKind = "link" | "video" | "file" | "image" | "document";

/** `curates`: the viewer made the shelf, or was asked to help with it; `made`: it was them who made it. */
export type ShelfFacts = { group: GroupFacts | null; audience: ContentFacts["audience"]; createdAt: Date; curates: boolean; made: boolean };

/** A resource without a group is for the whole community: its members, and guests too. */
export type ResourceFacts = {
  group: GroupFacts | null;
  state: "draft" | "published" | "hidden" | "removed";
  keeperId: string | null;
  audience: ContentFacts["audience"];
  createdAt: Date;
};
/** `editsBy`: of a document, whether all who may write where it stands may change it. */
export type ResourceEditFacts = ResourceFacts & { kind: ResourceKind; editsBy: "keeper" | "members" };

const keeps = (who: Viewer, it: ResourceFacts) => who.id !== null && it.keeperId === who.id;
const established = (who: Viewer) => who.trust === "established" || isStaff(who);
/** Whether somebody who reads the place of a resource may write there. */
const writes = (who: Viewer, { group }: Pick<ResourceFacts, "group">) =>
  isSignedIn(who) && !who.limited && (group === null || groupRules.write(who, group));
const reads = (who: Viewer, it: ResourceFacts) =>
  it.group === null || groupRules.readContent(who, it.group, { audience: it.audience, at: it.createdAt });

/** Who may do what with the library (product rules, 4.4). */
export const resourceRules = {
  see: (who: Viewer, it: ResourceFacts) => it.state !== "removed" && reads(who, it) && (it.state === "published" || keeps(who, it)),
  /** What was taken away stands there, for as long as it can be brought back, for who kept it and who looks after its place. */
  seeRemoved: (who: Viewer, it: ResourceFacts) =>
    it.state === "removed" && reads(who, it) && (keeps(who, it) || resourceRules.moderate(who, it)),
  comment: (who: Viewer, it: ResourceFacts) => it.state === "published" && writes(who, it),
  /** Newcomers add links, no files and documents, but in a group that they look after. */
  add: (who: Viewer, kind: ResourceKind, group: GroupFacts | null) =>
    isSignedIn(who) &&
    !who.limited &&
    (group === null || groupRules.addResource(who, group)) &&
    (kind === "link" || kind === "video" || established(who) || (group !== null && groupRules.amend(who, group))),
  /** Show what somebody else keeps to those who look after its place. */
  report: (who: Viewer, it: ResourceFacts) => isSignedIn(who) && resourceRules.see(who, it) && !keeps(who, it),
  /** Look after it: the moderators of its group, and of what is for everybody staff. */
  moderate: (who: Viewer, it: Pick<ResourceFacts, "group">) =>
    it.group === null ? isSignedIn(who) && isStaff(who) && !who.limited : groupRules.moderate(who, it.group),
  /** Change it as its keeper, or as one of those to whom a document is open. */
  edit: (who: Viewer, it: ResourceEditFacts) =>
    it.state === "published" && writes(who, it) && (keeps(who, it) || (opened(it) && (it.group !== null || established(who)))),
  /** Change what somebody else keeps, with a reason. */
  amend: (who: Viewer, it: ResourceFacts) =>
    it.state === "published" && !keeps(who, it) && (it.group === null ? resourceRules.moderate(who, it) : groupRules.amend(who, it.group)),
  /** Who says what others may do with it. */
  open: (who: Viewer, it: ResourceEditFacts) =>
    it.kind === "document" && ((keeps(who, it) && writes(who, it)) || resourceRules.amend(who, it)),
  /** Take it away: one's own, or with a reason another's. */
  remove: (who: Viewer, it: ResourceFacts) =>
    (it.state === "published" || it.state === "hidden") && ((keeps(who, it) && writes(who, it)) || resourceRules.moderate(who, it)),
  /** Bring it back: whoever took away their own, and those who look after its place. */
  restore: (who: Viewer, it: ResourceFacts & { removedBy: string | null }) =>
    it.state === "removed" && (resourceRules.moderate(who, it) || (keeps(who, it) && it.removedBy === who.id && writes(who, it))),
  /** Put it somewhere else: its keeper, and those who look after its place. */
  moveFrom: (who: Viewer, it: ResourceFacts) =>
    it.state === "published" && ((keeps(who, it) && writes(who, it)) || resourceRules.moderate(who, it)),
  /**
   * Put it there (null: for everybody). Who looks after both places may; its keeper, where they may add such a thing, unless that
   * opens to new readers what `others` have said in it or about it.
   */
  move: (who: Viewer, it: ResourceFacts & { kind: ResourceKind }, to: GroupFacts | null, others: boolean) =>
    resourceRules.moveFrom(who, it) &&
    ((resourceRules.moderate(who, it) && resourceRules.moderate(who, { group: to })) ||
      (keeps(who, it) && writes(who, it) && resourceRules.add(who, it.kind, to) && (!others || openToAll(it)))),
  /** Show it on the first page: admins, and of a group its owners. */
  feature: (who: Viewer, it: ResourceFacts) =>
    it.state === "published" &&
    isSignedIn(who) &&
    !who.limited &&
    (it.group === null ? who.role === "admin" : reads(who, it) && (groupRules.manage(who, it.group) || who.role === "admin")),
};

const openToAll = ({ group, audience }: ResourceFacts) => group === null || (group.visibility === "public" && audience === "group");
const opened = (it: ResourceEditFacts) => it.kind === "document" && it.editsBy === "members";

/** Shelves: made by staff, in a group by those who look after it, and put in order by their curators too. */
export const shelfRules = {
  see: (who: Viewer, it: ShelfFacts) =>
    it.group === null || groupRules.readContent(who, it.group, { audience: it.audience, at: it.createdAt }),
  make: (who: Viewer, group: GroupFacts | null) => leads(who, group),
  /** Put something on it, take it down, move it, and say what the shelf is. */
  curate: (who: Viewer, it: ShelfFacts) => shelfRules.see(who, it) && (leads(who, it.group) || (it.curates && writes(who, it))),
  /** Name its curators, and take it apart. */
  manage: (who: Viewer, it: ShelfFacts) => shelfRules.see(who, it) && (leads(who, it.group) || (it.made && writes(who, it))),
};

const leads = (who: Viewer, group: GroupFacts | null) =>
  isSignedIn(who) && !who.limited && (group === null ? isStaff(who) : groupRules.amend(who, group));
