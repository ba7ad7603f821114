import { one, sql } from "#platform/database";
import type { SignedIn, Viewer, Visibility } from "#community/rules";
import { createTestGroup, createTestUsers } from "../test-users.ts";
import {
  acceptInvitation,
  getGroup,
  inviteAddress,
  InviteAddress,
  InviteLink,
  getInvitation,
  listInvitations,
  createInviteLink,
} from "../../../src/community/groups/index.ts";
import type { TestDatabase } from "../setup/test-database.ts";

/** Creates a group and functions that invite people to it. */
export function setUpInvitations(database: TestDatabase) {
  const { db, inTransaction: within } = database;
  const HOUSE = { community: "Lindenhof", linkTo: (token: string) => `https://kith.test/invite/${token}` };

  async function scene(visibility: Visibility = "secret", questions: string[] = []) {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility, questions, name: "Zauberberg" });
    const link = (who: SignedIn, more: object = {}) =>
      within((tx) => createInviteLink(tx, who, InviteLink.parse({ groupId: group.id, ...more })));
    const mail = async (who: SignedIn, email: string, more: object = {}) => {
      await within((tx) =>
        inviteAddress(tx, who, InviteAddress.parse({ groupId: group.id, email, ...more }), HOUSE),
      );
      const { text } = await one(
        db,
        sql<{
          text: string;
        }>`select body_text as text from mails where recipient = ${email} order by id desc limit 1`,
      );
      return text.match(/invite\/([\w-]{43})/)![1]!;
    };
    const look = (who: Viewer, token: string) => getInvitation(db, who, token, database.clock.at);
    const accept = (who: Viewer, token: string, answers: string[] = []) =>
      within((tx) => acceptInvitation(tx, who, { token, answers }));
    const list = async (who: SignedIn) =>
      (await listInvitations(db, who, await getGroup(db, who, group.id), { now: database.clock.at })).rows;
    return { ...people, group, link, mail, look, accept, list };
  }
  return { HOUSE, scene };
}
