import { type AccountsContext, sendRequestedMail } from "#community/accounts";
import type { Database } from "#platform/database";

/** Runs the jobs that send account mails, as a worker would. */
export async function sendAccountMails(
  { pool }: Pick<Database, "pool">,
  app: AccountsContext,
): Promise<void> {
  const { rows } = await pool.query<{ id: string; payload: never }>(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
     where t.id = j.task_id and t.identifier = 'account-mail' returning j.id, j.payload`,
  );
  for (const { payload } of rows.toSorted((a, b) => Number(a.id) - Number(b.id)))
    await sendRequestedMail(app, payload);
}
