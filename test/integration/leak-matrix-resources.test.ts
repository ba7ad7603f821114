import { expect, test } from "vitest";
import { reportResource, Resolution, resolveCase } from "#community/moderation";
import { addComment, addDocument, editResource, ResourceChange } from "#community/resources";
import type { Viewer } from "#community/rules";
import { createPerson, createTestUsers, setMembership } from "../support/test-users.ts";
import { collectReads, findReadsWith } from "../support/leak-matrix/all-reads.ts";
import { createLeakCommunity } from "../support/leak-matrix/community.ts";
import { database } from "../support/leak-matrix/leak-context.ts";
import { createAllViewers } from "../support/leak-matrix/viewers.ts";

const { inTransaction: within } = database;

const HIDDEN_WORD = "Hagebutte";

/** Reads of people who see the hidden resource: its page, comments and files, and the API's records of them. */
const RESOURCE_READS = [
  "resource, as a row",
  "comment, as a row",
  "comment, as a record",
  "resource",
  "first version",
  "comments",
  "comment",
  "history of a comment",
  "quoted comment",
  "assistant, resource of the library",
  "webhook about a resource",
];
/** Reads of people who decide the reports: the title and the text as they were reported. */
const REPORT_READS = ["reports", "reports, by group", "reports in it", "case", "reports about the author"];

test(
  "a hidden resource of a public group is shown to its owner and its moderators",
  { timeout: 180_000 },
  async () => {
    const people = await createTestUsers(database);
    const community = await createLeakCommunity(database, people, "public");
    const { groupId } = community;
    const [elsa, pavel] = await within((tx) =>
      Promise.all(["elsa", "pavel"].map((name) => createPerson(tx, name))),
    );
    for (const who of [elsa!, pavel!]) await within((tx) => setMembership(tx, groupId, who, "member"));
    const about = { why: HIDDEN_WORD, tags: [HIDDEN_WORD.toLowerCase()], language: "en", licence: "" };
    const document = { title: HIDDEN_WORD, body: HIDDEN_WORD, groupId, ...about };
    const { id: resourceId } = await within((tx) => addDocument(tx, people.mira, document));
    const { id: commentId } = await within((tx) =>
      addComment(tx, people.mira, { resourceId, body: HIDDEN_WORD }),
    );
    const at = { ...community, resourceId, commentId };
    const waysOf = async (viewer: Viewer) => findReadsWith(HIDDEN_WORD, await collectReads(viewer, at));
    const before = await waysOf(elsa!);
    expect(before).toEqual(expect.arrayContaining(["library", "facets", "found without a word"]));
    let caseId = "";
    for (const who of [elsa!, pavel!])
      ({ id: caseId } = await within((tx) => reportResource(tx, who, { resourceId, reason: "It sells." })));
    const deciding = ["moderator of the site", "admin", "owner of the group"];
    const viewers: [string, Viewer][] = [
      ...(await createAllViewers(database, people, groupId)),
      ["owner of the group", people.tomas],
      ["reporter", elsa!],
    ];
    for (const [name, viewer] of viewers) {
      const ways = await waysOf(viewer);
      const decides = deciding.includes(name);
      const reported = ways.filter((way) => REPORT_READS.includes(way));
      expect([name, reported.length > 0]).toEqual([name, decides]);
      expect([name, ways.filter((way) => !reported.includes(way))]).toEqual([
        name,
        decides || name === "member" ? RESOURCE_READS : [],
      ]);
    }
    const decision = { caseId, outcome: "returned", reason: "No shops.", note: "" };
    await within((tx) => resolveCase(tx, people.tomas, Resolution.parse(decision)));
    const change = { resourceId, changes: 0, reason: "", body: `${HIDDEN_WORD} to give away.` };
    await within((tx) => editResource(tx, people.mira, ResourceChange.parse(change)));
    expect(await waysOf(elsa!)).toEqual([]);
    expect(await waysOf(people.tomas)).toEqual(expect.arrayContaining([...RESOURCE_READS, "first posts"]));
  },
);
