import { run, sql } from "#platform/database";
import { type FieldAudience, type SignedIn } from "#community/rules";
import { testDatabase } from "../setup/test-database.ts";
import { ADMIN, createAccountsContext } from "./accounts-context.ts";
import {
  addProfileField,
  answerFields,
  AnswersForm,
  NewFieldForm,
} from "../../../src/community/accounts/index.ts";

export const database = await testDatabase();
export const accountsContext = createAccountsContext(database);
export const { db, inTransaction: within } = database;

export type FieldOptions = Partial<NewFieldForm> & { label: string };
export const fieldForm = ({ choices = [], ...wish }: FieldOptions) =>
  NewFieldForm.parse({
    kind: "line",
    audience: "members",
    locked: false,
    required: false,
    ...wish,
    choices: choices.join("\n"),
  });
export const createTestField = async (fieldOptions: FieldOptions, by: SignedIn = ADMIN) =>
  (await within((tx) => addProfileField(tx, by, fieldForm(fieldOptions)))).id;
export const answerTestField = (
  who: SignedIn,
  fieldId: string,
  answer: string | string[],
  audience: FieldAudience = "members",
) =>
  within((tx) =>
    answerFields(tx, who, who.id, AnswersForm.parse([{ fieldId, said: [answer].flat(), audience }])),
  );
export const makeFriends = (a: SignedIn, b: SignedIn) => {
  const [low, high] = [a.id, b.id].sort();
  return run(db, sql`insert into friendships values (${low}, ${high}, 'friends', ${a.id}, '', now(), now())`);
};
export const createAdmin = () => accountsContext.member({ username: "admin", id: ADMIN.id, role: "admin" });

/** Creates Ana and each kind of viewer of her profile. */
export async function createAnaAndViewers() {
  await createAdmin();
  const [ana, friend, stranger, blocker] = await Promise.all(
    ["ana", "friend", "stranger", "blocker"].map((username) => accountsContext.member({ username })),
  );
  const moderator = await accountsContext.member({ username: "mod", role: "moderator" });
  await makeFriends(ana!, friend!);
  await run(db, sql`insert into blocks values (${blocker!.id}, ${ana!.id}, now())`);
  return { ana: ana!, friend: friend!, stranger: stranger!, blocker: blocker!, moderator };
}
