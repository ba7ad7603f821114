import { DAY, addMilliseconds } from "#platform/clock";
import { createEvent, NewEvent } from "#community/calendar";
import type { SignedIn } from "#community/rules";
import type { z } from "zod";
import type { TestDatabase } from "./setup/test-database.ts";

/** Fields of the form for an event tomorrow from 10:00 to 13:00. */
export function eventWords(now: Date) {
  const day = addMilliseconds(now, DAY).toISOString().slice(0, 10);
  return {
    title: "Repair evening",
    body: "Bring what is broken.",
    starts: `${day}T10:00`,
    ends: `${day}T13:00`,
    timeZone: "UTC",
  };
}

/** Creates an event in a group. */
export const createTestEvent = (
  database: TestDatabase,
  by: SignedIn,
  groupId: string,
  more: Partial<z.input<typeof NewEvent>> = {},
) =>
  database.inTransaction((tx) =>
    createEvent(tx, by, NewEvent.parse({ ...eventWords(tx.now), groupId, ...more })),
  );
