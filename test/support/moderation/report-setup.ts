import { getGroup } from "#community/groups";
import {
  listCases,
  NewPostReport,
  reportPost,
  Resolution,
  resolveCase,
  viewCase,
} from "#community/moderation";
import type { Viewer } from "#community/rules";
import type { TestDatabase } from "../setup/test-database.ts";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  setMembership,
} from "../test-users.ts";

export function createReportSetup(database: TestDatabase) {
  const { db, inTransaction: within } = database;

  const report = (who: Viewer, postId: string, reason = "It sells beans.") =>
    within((tx) => reportPost(tx, who, NewPostReport.parse({ postId, reason })));
  const view = (who: Viewer, reportId: string) => within((tx) => viewCase(tx, who, reportId));
  const resolve = (who: Viewer, reportId: string, outcome: string, reason = "") =>
    within((tx) =>
      resolveCase(tx, who, Resolution.parse({ caseId: reportId, outcome, reason, note: "Spoken to." })),
    );
  const listReportIds = async (who: Viewer, tab: "open" | "resolved" = "open") =>
    (await listCases(db, who, { tab })).rows.map(({ id }) => id);

  /**
   * Creates a group owned by Tomas with Mira as a member, and a reported post by Noor. Ada and Ines are
   * staff.
   */
  async function setupReportedPost(visibility: "public" | "private" | "secret" = "private") {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility });
    await within((tx) => setMembership(tx, group.id, people.noor, "member"));
    const discussion = await createTestDiscussion(database, people.mira, group.id);
    const post = await createTestReply(database, people.noor, discussion.id, {
      body: "Buy *my* beans. [here](https://example.org/shop)",
    });
    const there = (who: Viewer) => getGroup(db, who, group.id);
    return { ...people, group, discussion, post, there };
  }

  return { report, view, resolve, listReportIds, setupReportedPost };
}
