import { many, sql } from "#platform/database";
import type { Row } from "../../bulk-insert.ts";
import type { Batch, Entry } from "../import-batch.ts";
import { importRelationships } from "../import-relationships.ts";

type Occurrence = { eventId: string; id: string; hostId: string; waiting: number[] };

/** Imports answers to events. Answers given here meanwhile are kept. */
export async function importAttendances(batch: Batch, entries: Entry<"attendance">[]): Promise<void> {
  const eventOf = ({ event }: Entry<"attendance">["record"]) => batch.names.of("event", event)!;
  const occurrences = await loadOccurrences(
    batch,
    entries.map(({ record }) => eventOf(record)),
  );
  await importRelationships(
    batch,
    "attendance",
    ["attendances", ["occurrence_id", "person_id"]],
    entries,
    (it) => {
      // A check creates no occurrences, so the event stands for its own.
      const event = eventOf(it);
      const occurrence = occurrences.get(event) ?? { eventId: event, id: event, hostId: event, waiting: [] };
      return {
        ends: [occurrence.id, batch.names.of("user", it.user)!],
        more: createAnswerColumns(batch, occurrence, it),
      };
    },
  );
}

function createAnswerColumns(batch: Batch, occurrence: Occurrence, it: Entry<"attendance">["record"]): Row {
  return {
    answer: it.answer,
    companions: it.companions,
    note: it.note,
    waiting_number: it.answer === "waiting" ? takeWaitingNumber(occurrence, it.waitingNumber) : null,
    answered_at: it.createdAt ?? batch.tx.now,
    checked_in_at: it.checkedInAt ?? null,
    checked_in_by: it.checkedInAt
      ? ((it.checkedInBy && batch.names.of("user", it.checkedInBy)) ?? occurrence.hostId)
      : null,
  };
}

/** The wanted number in the waiting list; the end of the list if someone else has it. */
function takeWaitingNumber({ waiting }: Occurrence, wanted: number | null | undefined): number {
  const number = wanted && !waiting.includes(wanted) ? wanted : Math.max(0, ...waiting) + 1;
  waiting.push(number);
  return number;
}

async function loadOccurrences(batch: Batch, events: string[]): Promise<Map<string, Occurrence>> {
  const rows = await many(
    batch.tx,
    sql<Occurrence>`
      select distinct on (o.event_id) o.event_id as "eventId", o.id, e.host_id as "hostId",
        coalesce((select json_agg(a.waiting_number) from attendances a
          where a.occurrence_id = o.id and a.waiting_number is not null), '[]') as waiting
      from calendar_occurrences o join calendar_events e on e.id = o.event_id
      where o.event_id = any(${[...new Set(events)]}::uuid[]) order by o.event_id, o.starts_at, o.id`,
  );
  return new Map(rows.map((it) => [it.eventId, it]));
}
