import { expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { emit, withEventCause, currentEventCause, onCommitted } from "./index.ts";

const database = await testDatabase();
const say = (type: string) => database.inTransaction((tx) => emit(tx, { type }));
const told = () => many(database.db, sql<{ payload: object }>`select payload from outbox order by id`);

test("domain events emitted within withEventCause contain that cause", async () => {
  await withEventCause("a run", () => say("test.said"));
  await withEventCause(null, () => say("test.said"));
  await say("test.said");
  expect((await told()).map(({ payload }) => payload)).toEqual([
    { type: "test.said", cause: "a run" },
    { type: "test.said" },
    { type: "test.said" },
  ]);
});

test("event listeners run without a cause", async () => {
  const heard: (string | null)[] = [];
  const deafen = onCommitted(() => void heard.push(currentEventCause()));
  await withEventCause("a run", async () => {
    await say("test.said");
    heard.push(currentEventCause());
  });
  deafen();
  expect(heard).toEqual([null, "a run"]);
});
