import { expect, test } from "vitest";
import { defaultSettings } from "#community/settings";
import type { SignedIn } from "#community/rules";
import { datePollFields } from "../../../test/support/calendar-setup.ts";
import { createTestGroup, createTestUsers, setMembership } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { COMMUNITY_SERVICES } from "./index.ts";

const database = await testDatabase();
const { clock, inTransaction: within } = database;

/** Calls a service as an API client does. */
const call = (viewer: SignedIn, name: string, input: Record<string, unknown>) =>
  within((tx) => {
    const service = COMMUNITY_SERVICES.find((it) => it.entity === "DatePolls" && it.name === name)!;
    return service.run({ tx, viewer, site: defaultSettings }, service.input.parse(input) as never);
  });

test("a date poll is created, found, answered and turned into an event by services", async () => {
  const people = await createTestUsers(database);
  const { mira, tomas, noor } = people;
  const { id: groupId } = await createTestGroup(database, people);
  const { id: datePollId } = (await call(mira, "create", { ...datePollFields(clock.at), groupId })) as {
    id: string;
  };
  expect(await call(tomas, "list", { groupId })).toMatchObject([
    { id: datePollId, timesCount: 2, isAnswered: false },
  ]);
  await call(tomas, "answer", { datePollId, answer1: "yes", answer2: "no" });
  const poll = (await call(tomas, "get", { datePollId })) as { times: { id: string }[] };
  expect(poll.times).toMatchObject([
    { yes: 1, answer: "yes", isBest: true },
    { no: 1, answer: "no", isBest: false },
  ]);
  await expect(call(noor, "get", { datePollId })).rejects.toMatchObject({ reason: "not-found" });
  await expect(call(noor, "answer", { datePollId, answer1: "yes" })).rejects.toMatchObject({
    reason: "not-found",
  });
  await call(mira, "close", { datePollId });
  await expect(call(tomas, "answer", { datePollId, answer1: "yes" })).rejects.toMatchObject({
    reason: "conflict",
  });
  await call(mira, "reopen", { datePollId });
  const event = { timeId: poll.times[0]!.id, title: "Turning the compost", body: "Bring gloves." };
  await within((tx) => setMembership(tx, groupId, noor, "member"));
  await expect(call(noor, "createEvent", event)).rejects.toMatchObject({ reason: "not-allowed" });
  const { id } = (await call(mira, "createEvent", event)) as { id: string };
  expect(await call(mira, "createEvent", event)).toEqual({ id });
  await expect(call(noor, "delete", { datePollId })).rejects.toMatchObject({ reason: "not-allowed" });
  await call(mira, "delete", { datePollId });
  expect(await call(mira, "list", { groupId })).toEqual([]);
});
