import { expect, test } from "vitest";
import {
  answerEvent,
  cancelEvent,
  editEvent,
  emitDueReminders,
  EventAnswer,
  EventChange,
  getEvent,
} from "#community/calendar";
import { run, sql } from "#platform/database";
import { createTestEvent, eventFields } from "../../../../test/support/calendar-setup.ts";
import {
  database,
  deliverEvents,
  listenToTable,
  listRunTriggers,
  listTriggerEvents,
  mails,
  people,
  runSteps,
} from "../../../../test/support/rest/entity-automations.ts";
import { createTestGroup } from "../../../../test/support/test-users.ts";

const within = database.inTransaction;
const EVENTS = ["created", "updated", "cancelled", "answered", "tomorrow", "soon"];

test("automations start when an event is created, answered, near, changed and cancelled", async () => {
  const id = await listenToTable("Events", { events: EVENTS });
  const group = await createTestGroup(database, people);
  const event = await createTestEvent(database, people.mira, group.id, { place: "Tool shed" });
  const { occurrenceId } = await getEvent(database.db, people.tomas, event.id);
  await within((tx) => answerEvent(tx, people.tomas, EventAnswer.parse({ occurrenceId, answer: "going" })));
  for (const ahead of ["1 day", "1 hour"]) {
    await run(
      database.db,
      sql`update calendar_occurrences set starts_at = ${database.clock.at}::timestamptz + ${ahead}::interval,
        ends_at = ${database.clock.at}::timestamptz + interval '30 hours' where id = ${occurrenceId}`,
    );
    await within(emitDueReminders);
  }
  const { body: _, ...fields } = eventFields(database.clock.at);
  await within((tx) =>
    editEvent(tx, people.mira, EventChange.parse({ ...fields, eventId: event.id, changes: 0 })),
  );
  await within((tx) => cancelEvent(tx, people.mira, { eventId: event.id, reason: "Rain." }));
  await deliverEvents();
  expect((await listTriggerEvents(id)).toSorted()).toEqual(EVENTS.map((it) => [it, event.id]).toSorted());
});

test("an answered event gives its values to templates, but not the person", async () => {
  const id = await listenToTable(
    "Events",
    { events: ["answered"] },
    {
      steps: [
        {
          kind: "mail",
          to: people.mira.id,
          subject: "{{trigger.data.record.title}}: {{trigger.data.record.going}} going",
          text: "At {{trigger.data.record.place}}.",
        },
      ],
    },
  );
  const group = await createTestGroup(database, people);
  const event = await createTestEvent(database, people.mira, group.id, { place: "Tool shed" });
  const { occurrenceId } = await getEvent(database.db, people.tomas, event.id);
  await within((tx) => answerEvent(tx, people.tomas, EventAnswer.parse({ occurrenceId, answer: "going" })));
  await deliverEvents();
  await runSteps();
  expect(mails).toEqual([{ to: people.mira.id, subject: "Repair evening: 1 going" }]);
  expect(JSON.stringify(await listRunTriggers(id))).not.toContain(people.tomas.id);
});

test.each(["private", "secret"] as const)("events of a %s group start nothing", async (visibility) => {
  const id = await listenToTable("Events", { events: EVENTS });
  const group = await createTestGroup(database, people, { visibility });
  const event = await createTestEvent(database, people.mira, group.id);
  await within((tx) => cancelEvent(tx, people.mira, { eventId: event.id, reason: "Rain." }));
  await deliverEvents();
  expect(await listTriggerEvents(id)).toEqual([]);
});
