import { expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { emit, withEventCause, currentEventCause, onCommitted } from "./index.ts";

const database = await testDatabase();
const emitEvent = (type: string) => database.inTransaction((tx) => emit(tx, { type }));
const listEvents = () => many(database.db, sql<{ payload: object }>`select payload from outbox order by id`);

test("domain events emitted within withEventCause contain that cause", async () => {
  await withEventCause("a run", () => emitEvent("test.said"));
  await withEventCause(null, () => emitEvent("test.said"));
  await emitEvent("test.said");
  expect((await listEvents()).map(({ payload }) => payload)).toEqual([
    { type: "test.said", cause: "a run" },
    { type: "test.said" },
    { type: "test.said" },
  ]);
});

test("event listeners run without a cause", async () => {
  const causes: (string | null)[] = [];
  const stopListening = onCommitted(() => void causes.push(currentEventCause()));
  await withEventCause("a run", async () => {
    await emitEvent("test.said");
    causes.push(currentEventCause());
  });
  stopListening();
  expect(causes).toEqual([null, "a run"]);
});
