import { run, sql } from "#platform/database";
import { type FieldAudience, type SignedIn } from "#community/rules";
import { testDatabase } from "../../../../test/setup/database.ts";
import { ADMIN, testHouse } from "../house.fixture.ts";
import { addField, answerFields, AnswersForm, NewFieldForm } from "../index.ts";

export const database = await testDatabase();
export const house = testHouse(database);
export const { db, inTransaction: within } = database;

export type Wish = Partial<NewFieldForm> & { label: string };
export const wished = ({ choices = [], ...wish }: Wish) =>
  NewFieldForm.parse({ kind: "line", audience: "members", locked: false, required: false, ...wish, choices: choices.join("\n") });
export const field = async (wish: Wish, by: SignedIn = ADMIN) => (await within((tx) => addField(tx, by, wished(wish)))).id;
export const say = (who: SignedIn, fieldId: string, said: string | string[], audience: FieldAudience = "members") =>
  within((tx) => answerFields(tx, who, who.id, AnswersForm.parse([{ fieldId, said: [said].flat(), audience }])));
export const befriend = (a: SignedIn, b: SignedIn) => {
  const [low, high] = [a.id, b.id].sort();
  return run(db, sql`insert into friendships values (${low}, ${high}, 'friends', ${a.id}, '', now(), now())`);
};
export const admin = () => house.member({ username: "admin", id: ADMIN.id, role: "admin" });

/** Ana and every kind of viewer of her profile. */
export async function company() {
  await admin();
  const [ana, friend, stranger, parted] = await Promise.all(
    ["ana", "friend", "stranger", "parted"].map((username) => house.member({ username })),
  );
  const moderator = await house.member({ username: "mod", role: "moderator" });
  await befriend(ana!, friend!);
  await run(db, sql`insert into blocks values (${parted!.id}, ${ana!.id}, now())`);
  return { ana: ana!, friend: friend!, stranger: stranger!, parted: parted!, moderator };
}
