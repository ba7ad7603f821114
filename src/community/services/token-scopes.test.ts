import { beforeEach, describe, expect, test } from "vitest";
import { API_ENTITIES, getEntityRow } from "#community/api-entities";
import { type SignedIn, TOKEN_SCOPES, tokenRules } from "#community/rules";
import { defaultSettings } from "#community/settings";
import { createLeakCommunity, type LeakCommunity } from "../../../test/support/leak-matrix/community.ts";
import { createServiceSamples } from "../../../test/support/services/service-samples.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createTestUsers, type TestUsers } from "../../../test/support/test-users.ts";
import { COMMUNITY_SERVICES, createRecord, removeRecord, updateRecord } from "./index.ts";

const database = await testDatabase();
let people: TestUsers;
let at: LeakCommunity;
beforeEach(async () => {
  people = await createTestUsers(database);
  at = await createLeakCommunity(database, people, "secret");
});

const withScopes = (viewer: SignedIn, ...scopes: string[]): SignedIn => ({ ...viewer, scopes });
const groupByArea = <T>(items: readonly T[], areaOf: (item: T) => string, nameOf: (item: T) => string) =>
  Object.fromEntries(
    [...Map.groupBy(items, areaOf)].map(([area, found]) => [area, found.map(nameOf).join(" ")]),
  );

describe("token areas", () => {
  // A new entity or service belongs to no area until somebody decides which tokens reach it.
  test("include every entity that is not closed to tokens", () => {
    const areas = groupByArea(
      API_ENTITIES,
      ({ name }) => tokenRules.entityArea(name) ?? "closed to tokens",
      ({ name }) => name,
    );
    expect(areas).toEqual({
      profile: "Users Friendships Blocks",
      groups: "Groups Memberships",
      discussions: "Discussions Posts Reactions Bookmarks",
      events: "Events Attendances",
      messages: "Conversations Participants Messages",
      resources: "Resources Comments Collections",
      "closed to tokens": "Notifications",
    });
  });

  test("include every service that is not closed to tokens", () => {
    const areas = groupByArea(
      COMMUNITY_SERVICES,
      ({ entity, name }) => tokenRules.serviceArea(entity, name) ?? "closed to tokens",
      ({ entity, name }) => `${entity}/${name}`,
    );
    const expected = {
      profile:
        "Users/updateProfile Users/updateDisplay Users/block Users/unblock Users/mute " +
        "Users/unmute Users/report Users/addFilter Users/editFilter Users/deleteFilter " +
        "Users/restoreFilter Friendships/sendRequest Friendships/acceptRequest " +
        "Friendships/declineRequest Friendships/cancelRequest Friendships/remove " +
        "Friendships/undoRemoval Friendships/createLink Friendships/revokeLink " +
        "Friendships/acceptLink Friendships/dismissSuggestion Friendships/undoDismissal",
      groups:
        "Groups/create Groups/update Groups/join Groups/requestToJoin Groups/withdrawRequest " +
        "Groups/declineOwnInvitation Groups/leave Groups/setNotifyLevel Groups/pin Groups/unpin " +
        "Groups/invite Groups/inviteSeveral Groups/inviteByName Groups/createInviteLink " +
        "Groups/revokeInvitation Groups/acceptInvitation Groups/declineInvitation " +
        "Groups/transferOwnership Groups/appealBan Groups/report Groups/archive Groups/unarchive " +
        "Groups/delete Groups/restore Groups/cancelScheduledOpening Groups/addStartItem " +
        "Groups/removeStartItem Groups/moveStartItem Groups/requestNewOwner",
      discussions:
        "Discussions/start Discussions/rename Discussions/resolve Discussions/reopen " +
        "Discussions/archive Discussions/unarchive Discussions/delete Discussions/restore " +
        "Discussions/setFollowLevel Discussions/markRead Discussions/markUnread Posts/reply " +
        "Posts/edit Posts/delete Posts/restore Posts/react Posts/unreact Posts/vote Posts/report " +
        "Posts/appeal Posts/bookmark Posts/removeBookmark Posts/removeLinkPreview Drafts/save " +
        "Drafts/discard Drafts/restore",
      events:
        "Events/create Events/edit Events/postpone Events/cancel Events/answer Events/checkIn Events/stopHosting " +
        "DatePolls/list DatePolls/get DatePolls/create DatePolls/answer DatePolls/close DatePolls/reopen " +
        "DatePolls/delete DatePolls/createEvent",
      messages:
        "Conversations/start Conversations/accept Conversations/deleteRequest " +
        "Conversations/markRead Conversations/markUnread Conversations/archive Conversations/mute " +
        "Conversations/addParticipants Conversations/removeParticipant Conversations/rename " +
        "Conversations/leave Conversations/report Messages/send Messages/edit Messages/delete " +
        "Messages/hide Messages/react Messages/unreact",
      resources:
        "Resources/addLink Resources/addDocument Resources/addFile Resources/edit " +
        "Resources/replaceFile Resources/restoreVersion Resources/move Resources/remove " +
        "Resources/restore Resources/report Resources/appeal Resources/setFollowLevel " +
        "Resources/bookmark Resources/removeBookmark Collections/create Collections/edit " +
        "Collections/delete Collections/addResource Collections/removeResource " +
        "Collections/moveResource Collections/addCurator Collections/removeCurator " +
        "Resources/suggestAddress Resources/answerSuggestion Comments/add Comments/edit " +
        "Comments/delete",
      moderation:
        "Groups/approveJoinRequest Groups/declineJoinRequest Groups/setRole Groups/removeMember " +
        "Groups/ban Groups/liftBan Groups/declineAppeal Groups/approvePendingGroup " +
        "Groups/declinePendingGroup Groups/appointOwner Groups/declineOwnerRequest " +
        "Discussions/lock Discussions/unlock Discussions/pin Discussions/unpin Discussions/move " +
        "Discussions/split Discussions/merge Discussions/setSlowMode Discussions/setTimer " +
        "Discussions/cancelTimer Posts/unhide Reports/resolve Resources/unhide " +
        "Resources/feature Resources/unfeature",
      "closed to tokens":
        "Users/updatePrivacy Searches/save Searches/setAlert Searches/delete Searches/clearRecent " +
        "Notifications/open Notifications/markRead Notifications/markUnread " +
        "Notifications/markAllRead Notifications/markAllSeen Notifications/muteSource " +
        "Notifications/allowSenders Notifications/setKindChoices Notifications/setMailLevel " +
        "Notifications/setQuietHours Notifications/pause Notifications/setSenderFolder " +
        "Notifications/setDigest Announcements/create Announcements/withdraw " +
        "Announcements/markSeen",
    };
    expect(areas).toEqual(expected);
  });

  test("do not exist for unknown entities", () => {
    for (const name of ["constructor", "__proto__", "Sessions", "Beds"])
      expect([tokenRules.entityArea(name), tokenRules.serviceArea(name, "toString")]).toEqual([
        undefined,
        undefined,
      ]);
  });
});

describe("token without a scope", () => {
  test("can read no entity and call no service, unlike a token with that scope", async () => {
    const samples = createServiceSamples(at, people.mira.id);
    const refusal = (work: () => unknown) =>
      Promise.resolve()
        .then(work)
        .then(
          () => "",
          (error: unknown) => (error as Error).message,
        );
    const TOKEN_REFUSAL =
      /^This (access token does not have the scope|cannot be done with a personal access)/;
    for (const entity of API_ENTITIES) {
      const area = tokenRules.entityArea(entity.name);
      const others = TOKEN_SCOPES.filter((it) => area === undefined || !it.startsWith(area));
      const read = (viewer: SignedIn) => refusal(() => entity.visible(viewer, "row"));
      expect([entity.name, await read(withScopes(people.mira, ...others))]).toEqual([
        entity.name,
        expect.stringMatching(TOKEN_REFUSAL),
      ]);
      if (area)
        expect([entity.name, await read(withScopes(people.mira, `${area}:read`))]).toEqual([entity.name, ""]);
    }
    for (const service of COMMUNITY_SERVICES) {
      const name = `${service.entity}/${service.name}`;
      const area = tokenRules.serviceArea(service.entity, service.name);
      const scopes = TOKEN_SCOPES.filter((it) => it !== `${area}:write`);
      const call = (viewer: SignedIn) =>
        refusal(() =>
          database.inTransaction(async (tx) => {
            await service.run(
              { tx, viewer, site: defaultSettings },
              service.input.parse(samples[name]) as never,
            );
            throw new Error("rolled back");
          }),
        );
      expect([name, await call(withScopes(people.mira, ...scopes))]).toEqual([
        name,
        expect.stringMatching(TOKEN_REFUSAL),
      ]);
      if (area)
        expect([name, await call(withScopes(people.mira, `${area}:write`))]).not.toEqual([
          name,
          expect.stringMatching(TOKEN_REFUSAL),
        ]);
    }
  }, 60_000);

  test("to write cannot create, change or remove a record, and to moderate cannot lock one", async () => {
    const context = (viewer: SignedIn) => async (work: (it: never) => Promise<unknown>) =>
      database.inTransaction((tx) => work({ tx, viewer, site: defaultSettings } as never));
    const reader = context(withScopes(people.mira, "discussions:read"));
    const reply = { discussionId: at.discussionId, text: "From a script." };
    const scope = (name: string) => ({ message: `This access token does not have the scope “${name}”.` });
    await expect(reader((it) => createRecord(it, "Posts", reply))).rejects.toMatchObject(
      scope("discussions:write"),
    );
    await expect(
      reader((it) => updateRecord(it, "Posts", at.postId, { text: "Changed" })),
    ).rejects.toMatchObject(scope("discussions:write"));
    await expect(reader((it) => removeRecord(it, "Posts", at.postId))).rejects.toMatchObject(
      scope("discussions:write"),
    );
    const writer = context(withScopes(people.mira, "discussions:write"));
    await expect(
      writer((it) =>
        updateRecord(it, "Discussions", at.discussionId, { locked: true, lockedReason: "Done" }),
      ),
    ).rejects.toMatchObject(scope("moderation:write"));
    const id = (await writer((it) => createRecord(it, "Posts", reply))) as string;
    expect(
      await getEntityRow(database.db, withScopes(people.mira, "discussions:read"), "Posts", id),
    ).toMatchObject({
      text: "From a script.",
    });
  });
});

describe("token limited to groups", () => {
  test(
    "can call no service on records of other groups, and none without a group",
    { timeout: 60_000 },
    async () => {
      const samples = createServiceSamples(at, people.tomas.id);
      const viewer: SignedIn = {
        ...people.mira,
        scopes: TOKEN_SCOPES,
        groupIds: ["01900000-0000-7000-8000-00000000beef"],
      };
      for (const service of COMMUNITY_SERVICES) {
        const name = `${service.entity}/${service.name}`;
        const call = database.inTransaction((tx) =>
          service.run({ tx, viewer, site: defaultSettings }, service.input.parse(samples[name]) as never),
        );
        const refusal = await call.then(
          () => "none",
          (error: unknown) => (error as Error).message,
        );
        expect([name, refusal]).toEqual([
          name,
          expect.stringMatching(
            /^(Not found\.|This access token is limited to|This cannot be done with a personal)/,
          ),
        ]);
      }
    },
  );
});
