import { DAY, addMilliseconds } from "#platform/clock";
import { createDatePoll, createEvent, NewDatePoll, NewEvent } from "#community/calendar";
import type { SignedIn } from "#community/rules";
import type { z } from "zod";
import type { TestDatabase } from "./setup/test-database.ts";

/** Fields of the form for an event tomorrow from 10:00 to 13:00. */
export function eventFields(now: Date) {
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
    createEvent(tx, by, NewEvent.parse({ ...eventFields(tx.now), groupId, ...more })),
  );

/** Fields of the form for a date poll with two times, in one and in two days from 18:00 to 20:00 UTC. */
export function datePollFields(now: Date) {
  const starts = (days: number) =>
    `${addMilliseconds(now, days * DAY)
      .toISOString()
      .slice(0, 10)}T18:00`;
  return {
    title: "Turning the compost",
    length: "120" as const,
    timeZone: "UTC",
    starts1: starts(1),
    starts2: starts(2),
  };
}

export type DatePollFields = Partial<z.input<typeof NewDatePoll>> &
  Partial<Record<`starts${number}`, string>>;

/** Creates a date poll in a group. */
export const createTestDatePoll = (
  database: TestDatabase,
  by: SignedIn,
  groupId: string,
  more: DatePollFields = {},
) =>
  database.inTransaction((tx) =>
    createDatePoll(tx, by, NewDatePoll.parse({ ...datePollFields(tx.now), groupId, ...more })),
  );
