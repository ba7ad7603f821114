import { run, sql } from "#platform/database";
import { inviteAddress, inviteByName, inviteSeveral, inviteToGroup } from "#community/groups";
import { addCurator } from "#community/resources";
import type { Encounter } from "./encounters.ts";
import type { ContactCommand } from "./contact-command.ts";
import { MESSAGE_COMMANDS } from "./contact-by-messages.ts";
import { POST_COMMANDS } from "./contact-by-posts.ts";

const invited = ({ other, elsewhereId }: Encounter) =>
  sql`select from memberships
    where group_id = ${elsewhereId} and person_id = ${other.id} and state = 'invited'`;

/** Every command by which one person can reach another. Add new commands here. */
export const CONTACT_COMMANDS: Record<string, ContactCommand> = {
  ...MESSAGE_COMMANDS,
  ...POST_COMMANDS,
  inviteToGroup: {
    act: (tx, { me, other, elsewhereId }) =>
      inviteToGroup(tx, me, { groupId: elsewhereId, personId: other.id }),
    landed: invited,
  },
  addCurator: {
    async act(tx, { me, names }) {
      const id = tx.newId();
      await run(
        tx,
        sql`insert into collections (id, curator_id, title, created_at)
          values (${id}, ${me.id}, 'Ours', ${tx.now})`,
      );
      await addCurator(tx, me, { collectionId: id, username: names.other });
    },
    landed: ({ other }) => sql`select from collection_curators where person_id = ${other.id}`,
  },
  inviteSeveral: {
    act: (tx, { me, other, elsewhereId }) =>
      inviteSeveral(tx, me, { groupId: elsewhereId, personIds: [other.id] }),
    landed: invited,
  },
  inviteByName: {
    act: (tx, { me, names, elsewhereId }) =>
      inviteByName(tx, me, { groupId: elsewhereId, username: names.other }),
    landed: invited,
  },
  inviteAddress: {
    act: (tx, { me, names, elsewhereId }) =>
      inviteAddress(
        tx,
        me,
        { groupId: elsewhereId, email: `${names.other}@Example.org`, entry: "join" },
        { community: "Kith", linkTo: (token) => token },
      ),
    landed: ({ names }) => sql`select from mails where lower(recipient) = ${`${names.other}@example.org`}`,
  },
};
