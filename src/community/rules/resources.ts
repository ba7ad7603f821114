import { type ContentFacts, type GroupFacts, groupRules } from "./groups.ts";
import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** A resource without a group is for the whole community: its members, and guests too. */
export type ResourceFacts = {
  group: GroupFacts | null;
  state: "draft" | "published" | "hidden" | "removed";
  keeperId: string | null;
  audience: ContentFacts["audience"];
  createdAt: Date;
};

export const resourceRules = {
  see: (who: Viewer, it: ResourceFacts) =>
    it.state !== "removed" &&
    (it.group === null || groupRules.readContent(who, it.group, { audience: it.audience, at: it.createdAt })) &&
    (it.state === "published" || (who.id !== null && it.keeperId === who.id)),
  comment: (who: Viewer, it: ResourceFacts) =>
    isSignedIn(who) && !who.limited && it.state === "published" && (it.group === null || groupRules.write(who, it.group)),
  /** Adding to the library of the whole community: newcomers share links, no files and documents. */
  addForEveryone: (who: Viewer, kind: "link" | "file" | "document") =>
    isSignedIn(who) && !who.limited && (kind === "link" || who.trust === "established" || isStaff(who)),
};
