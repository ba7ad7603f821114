import { many, sql } from "#platform/database";
import { NewAccount, register } from "#community/accounts";
import type { TestDatabase } from "../setup/test-database.ts";
import { clientInfo, type createAccountsContext, PASSWORD } from "./accounts-context.ts";

type AccountForm = Partial<Record<keyof NewAccount, string>>;

/** Parses Zoë's registration form. */
export const parseAccountForm = (more: AccountForm = {}) =>
  NewAccount.parse({ email: "zoe@example.org", password: PASSWORD, name: "Zoë Müller", ...more });

export function createRegistrationSetup(
  database: TestDatabase,
  app: ReturnType<typeof createAccountsContext>,
) {
  const registerPerson = (more: AccountForm = {}, by = clientInfo()) =>
    register(app, parseAccountForm(more), by);
  const listPeople = () =>
    many(
      database.db,
      sql<{
        username: string;
        email: string;
        state: string;
        locale: string;
      }>`select username, email, state, locale from people`,
    );
  return { registerPerson, listPeople };
}
