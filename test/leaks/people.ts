import { many, sql } from "#platform/database";
import { activityOf } from "#community/activity";
import { friendCountOf, friendLinkFor, friendsInCommon, friendsOf, friendStateWith, tieTo } from "#community/friends";
import { countStops } from "#community/mailing";
import { actsOn, ownReports, reportsAbout, reportsFor, siteLog } from "#community/moderation";
import { directory, fieldsToAskBy, hasRole, personFor, pictureFor, programUsers, summariesOf } from "#community/people";
import { pushDevices } from "#community/pushing";
import { INSIDE } from "../leaky-place.ts";
import { now, type Reads } from "./house.ts";

/** Reads of people and their relationships. */
export const people: Reads = {
  "activity of the author": (db, viewer, at) => activityOf(db, viewer, at.authorId, {}),
  reports: (db, viewer) => reportsFor(db, viewer, { tab: "open" }),
  "reports about the author": (db, viewer, at) => reportsAbout(db, viewer, at.authorId),
  "what was done to the author": (db, viewer, at) => actsOn(db, viewer, at.authorId),
  "log of the place": (db, viewer) => siteLog(db, viewer, {}),
  "own reports": (db, viewer) => ownReports(db, viewer),
  friends: (db, viewer) => friendsOf(db, viewer, { tab: "friends" }),
  "friends, counted": (db, viewer, at) => friendCountOf(db, viewer, at.authorId),
  "a friend link that is over": (db, viewer, at) => friendLinkFor(db, viewer, at.friendToken, now()),
  "friends in common": (db, viewer, at) => friendsInCommon(db, viewer, at.authorId),
  person: (db, viewer, at) => personFor(db, viewer, at.authorId),
  directory: (db, viewer) => directory(db, viewer, {}),
  "people with a role": async (db, viewer) => {
    const withRole = sql<{ id: string }>`select t.id from people t where ${hasRole(viewer, "AuthenticatedUser", sql.ref("t.id"))}`;
    return [
      ...(
        await programUsers(
          db,
          viewer,
          (await many(db, withRole)).map(({ id }) => id),
        )
      ).values(),
    ];
  },
  "directory, by what nobody else is told": async (db, viewer, at) =>
    (await directory(db, viewer, { says: { [at.fieldId]: INSIDE } })).people.length > 0 ? INSIDE : null,
  "fields to ask by": (db, viewer) => fieldsToAskBy(db, viewer),
  suggestions: (db, viewer) => friendsOf(db, viewer, { tab: "suggestions" }),
  "browsers that are told": (db, viewer) => pushDevices(db, viewer),
  "how much mail was ended": (db, viewer) => countStops(db, viewer),
  "people by id": (db, viewer, at) => summariesOf(db, viewer, [at.authorId]),
  "tie to somebody": (db, viewer, at) => tieTo(db, viewer, at.authorId),
  "friend state": (db, viewer, at) => friendStateWith(db, viewer, at.authorId),
  "picture of somebody": (db, viewer, at) => pictureFor(db, viewer, at.uploadId),
};
