import { run, sql, type Tx } from "#platform/database";
import { addStartItem, createInviteLink } from "#community/groups";
import { createPerson, setMembership, type TestUsers } from "../test-users.ts";
import { GROUP_NAME, INSIDE_WORD } from "./marker-words.ts";

/** Adds a former member, a decided join request, a ban with an appeal, a revoked invitation and an export. */
export async function addMarkedMemberships(
  tx: Tx,
  { mira, tomas, noor }: Pick<TestUsers, "mira" | "tomas" | "noor">,
  group: { id: string },
  discussion: { id: string },
) {
  await setMembership(tx, group.id, noor, "left");
  const answers = JSON.stringify([{ question: `Like ${GROUP_NAME}?`, answer: INSIDE_WORD }]);
  await run(
    tx,
    sql`insert into decided_join_requests (id, group_id, person_id, asked_at, answers, outcome, reason,
      decided_at, decided_by)
        values (${tx.newId()}, ${group.id}, ${mira.id}, ${tx.now}, ${answers}, 'member', ${INSIDE_WORD},
          ${tx.now}, ${tomas.id})`,
  );
  const shut = await createPerson(tx, "shut-out");
  await setMembership(tx, group.id, shut, "banned");
  await run(
    tx,
    sql`update memberships set reason = ${INSIDE_WORD}, appeal = ${`About ${GROUP_NAME}: ${INSIDE_WORD}`},
      appealed_at = ${tx.now}
        where group_id = ${group.id} and person_id = ${shut.id}`,
  );
  await addStartItem(tx, tomas, { groupId: group.id, address: `/discussions/${discussion.id}` });
  const { token: revokedToken } = await createInviteLink(tx, mira, {
    groupId: group.id,
    entry: "join",
    mostUses: 1,
  });
  await run(tx, sql`update group_invitations set revoked_at = ${tx.now}`);
  const exportId = tx.newId();
  await run(
    tx,
    sql`insert into group_exports (id, group_id, person_id, created_at, ready_at, expires_at, hash, size)
        values (${exportId}, ${group.id}, ${tomas.id}, ${tx.now}, ${tx.now},
          ${new Date(tx.now.getTime() + 86_400_000)}, ${INSIDE_WORD}, 1)`,
  );
  return { revokedToken, exportId };
}
