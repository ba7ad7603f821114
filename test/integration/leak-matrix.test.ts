import { describe, expect, test } from "vitest";
import { setMembership, createTestUsers, createPerson } from "../support/test-users.ts";
import type { Viewer } from "#community/rules";
import { createLeakCommunity, type LeakCommunity } from "../support/leak-matrix/community.ts";
import {
  DELETED_WORD,
  PENDING_WORD,
  INSIDE_WORD,
  GROUP_NAME,
  FORMER_NAME,
  PRIVATE_WORD,
  REPORTED_WORD,
} from "../support/leak-matrix/marker-words.ts";
import {
  createAllViewers,
  OUTSIDE_CLASSES,
  EXPECTED_VISIBILITY,
  createViewer,
} from "../support/leak-matrix/viewers.ts";
import { collectReads, READS, findReadsWith } from "../support/leak-matrix/all-reads.ts";
import { database } from "../support/leak-matrix/leak-context.ts";

const { inTransaction: within } = database;

/** Reads for oneself, for admins alone, or helpers of a change or a list; each has its own tests. */
const OWN = [
  "listSearchMisses",
  "getOverview",
  "getSetupChecklist",
  "listDiscussionRows",
  "getAccount",
  "getAccountEntry",
  "listAccounts",
  "getApiUser",
  "listCustomRoles",
  "listAccessTokens",
  "listAllAccessTokens",
  "listRolesOfPerson",
  "getOnboardingProgress",
  "listBlocked",
  "listMuted",
  "listWordFilters",
  "listFriendLinks",
  "getDeletedWordFilter",
  "getOwnBookmark",
  "getNotifyLevel",
  "listRelationships",
  "getGroupToChange",
  "getImport",
  "listImports",
  "listImportSources",
  "listProfileFields",
  "listFieldsToFill",
  "getOwnExport",
  "getExportFile",
  "listGroupsWithoutSuccessor",
  "listSettingChanges",
  "getSavedSearch",
  "getReturnedResource",
  "getRemoval",
  "getResourceRemoval",
  "getOwnSanction",
  "getSanctionAppeal",
];

/** The public APIs of the community modules. */
const publicApis = import.meta.glob<Record<string, unknown>>("../../src/community/*/index.ts", {
  eager: true,
});

test("every read of the community's API is in the matrix", () => {
  const asked = READS.map(([, read]) => String(read)).join(" ");
  const offered = Object.values(publicApis).flatMap((publicApi) =>
    Object.entries(publicApi).filter(
      ([, it]) => typeof it === "function" && /^(async )?(function )?\w*\s*\(db, viewer\b/.test(String(it)),
    ),
  );
  expect(new Set(READS.map(([name]) => name)).size).toBe(READS.length);
  expect(offered.length).toBeGreaterThan(40);
  const missing = offered.map(([name]) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(asked));
  expect(missing.filter((name) => !OWN.includes(name))).toEqual([]);
});

describe.each(["public", "private", "secret"] as const)("%s group", (visibility) => {
  test.each(OUTSIDE_CLASSES)(
    "shows a viewer who is %s only what the visibility allows",
    async (viewerClass) => {
      const people = await createTestUsers(database);
      const at = await createLeakCommunity(database, people, visibility);
      const reads = await collectReads(await createViewer(database, people, at.groupId, viewerClass), at);
      const may = EXPECTED_VISIBILITY[visibility](viewerClass);
      const byName = findReadsWith(GROUP_NAME, reads);
      const inside = findReadsWith(INSIDE_WORD, reads);
      // An invited person sees the description of a secret group.
      const atTheDoor =
        visibility === "secret" && may.name
          ? ["group by id", "group by slug", "group, as a row", "assistant, group as a resource"]
          : [];
      // Staff read what was reported to them, with its place, and nothing else of the group.
      const shown =
        viewerClass === "moderator of the site" || viewerClass === "admin"
          ? ["reports", "reports, by group", "case", "reports about the author", "report of a webhook"]
          : [];
      expect(findReadsWith(REPORTED_WORD, reads)).toEqual(shown);
      const [letter, groups, file] = ["letter about a decision", "groups with reports", "file of a case"];
      const named = shown.flatMap((it) => (it === "case" ? [groups, it, letter] : [it]));
      expect(may.name ? named : byName).toEqual(named);
      const told = [...shown.flatMap((it) => (it === "case" ? [it, file, letter] : [it])), ...atTheDoor];
      expect(may.inside ? told : inside).toEqual(told);
      expect(inside.length > 8).toBe(may.inside);
      expect(findReadsWith(PRIVATE_WORD, reads)).toEqual([]);
      const restores =
        visibility === "public" && (viewerClass === "moderator of the site" || viewerClass === "admin");
      expect(findReadsWith(DELETED_WORD, reads)).toEqual(
        restores ? ["discussions, deleted", "removed resource"] : [],
      );
      expect(reads["group by slug"] === JSON.stringify("Not found.")).toBe(!may.name);
    },
  );

  test("appears as a related group only to those who may know its members", async () => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, visibility);
    // The viewer does not count: Mira needs one more person who is in both groups.
    const elsa = await within((tx) => createPerson(tx, "elsa"));
    for (const id of [at.groupId, at.groundId]) await within((tx) => setMembership(tx, id, elsa, "member"));
    const related = async (viewerClass: (typeof OUTSIDE_CLASSES)[number] | "member") => {
      const viewer = await createViewer(database, people, at.groupId, viewerClass);
      return (
        findReadsWith(GROUP_NAME, await collectReads(viewer, at, ["related to an open group"])).length > 0
      );
    };
    expect([await related("member"), await related("admin")]).toEqual([true, visibility === "public"]);
    expect([await related("invited"), await related("guest")]).toEqual([visibility === "public", false]);
  });

  test("shows members everything, which proves that the test texts exist", async () => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, visibility);
    const reads = await collectReads(people.mira, at);
    expect(findReadsWith(INSIDE_WORD, reads).length).toBeGreaterThan(15);
    expect(findReadsWith(PRIVATE_WORD, reads)).toEqual(
      expect.arrayContaining(["draft", "inbox", "messages"]),
    );
    expect(findReadsWith(INSIDE_WORD, reads)).toContain("discussions, archived");
    // The owner of a resource may read it even when another person removed it.
    expect(findReadsWith(DELETED_WORD, reads)).toEqual(["removed resource"]);
  });

  test("shows reports to its moderators, except those involved", async () => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, visibility);
    const elsa = await within((tx) => createPerson(tx, "elsa"));
    await within((tx) => setMembership(tx, at.groupId, elsa, "moderator"));
    expect(findReadsWith(REPORTED_WORD, await collectReads(elsa, at))).toEqual([
      "reports in it",
      "reports",
      "reports, by group",
      "case",
      "report of a webhook",
    ]);
    for (const who of [people.tomas, people.mira])
      expect(findReadsWith(REPORTED_WORD, await collectReads(who, at, ["reports in it", "case"]))).toEqual(
        [],
      );
  });

  test("shows deleted content to its moderators", async () => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, visibility);
    expect(findReadsWith(DELETED_WORD, await collectReads(people.tomas, at))).toEqual([
      "discussions, deleted",
      "removed resource",
    ]);
  });
});

describe.each(["public", "private", "secret"] as const)("export of a %s group", (visibility) => {
  const WAYS = ["taking it along", "taken along by an owner", "as it is taken along"];
  const tells = async (viewer: Viewer, at: LeakCommunity) => {
    const reads = await collectReads(viewer, at, WAYS);
    return WAYS.filter((way) => /^[[{]/.test(reads[way]!));
  };

  test("can be seen by group owners only, and each owner sees only their own", async () => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, visibility);
    const [elsa, vera] = await within((tx) =>
      Promise.all(["elsa", "vera"].map((name) => createPerson(tx, name))),
    );
    await within((tx) => setMembership(tx, at.groupId, elsa!, "moderator"));
    await within((tx) => setMembership(tx, at.groupId, vera!, "owner"));
    for (const [it, who] of [
      ...(await createAllViewers(database, people, at.groupId)),
      ["leads", elsa!] as const,
    ])
      expect([it, await tells(who, at)]).toEqual([it, []]);
    expect(await tells(people.tomas, at)).toEqual(WAYS);
    expect(await tells(vera!, at)).toEqual([WAYS[0], WAYS[2]]);
    const reads = await collectReads(people.tomas, at, WAYS);
    for (const word of [PRIVATE_WORD, DELETED_WORD, PENDING_WORD, FORMER_NAME, REPORTED_WORD])
      expect([word, WAYS.filter((way) => reads[way]!.includes(word))]).toEqual([word, []]);
    expect(reads[WAYS[2]!]).toContain(INSIDE_WORD);
  });

  test.each(["moderator", "member", "left", "banned"] as const)(
    "cannot be seen by a former owner who is %s",
    async (standing) => {
      const people = await createTestUsers(database);
      const at = await createLeakCommunity(database, people, visibility);
      await within((tx) => setMembership(tx, at.groupId, people.tomas, standing));
      expect(await tells(people.tomas, at)).toEqual([]);
    },
  );
});
