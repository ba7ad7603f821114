import {
  answerEvent,
  cancelEvent,
  CheckIn,
  checkInAttendee,
  createEvent,
  editEvent,
  EventAnswer,
  EventCancellation,
  EventChange,
  getEvent,
  NewEvent,
  postponeEvent,
  toFormTimes,
} from "#community/calendar";
import { requireSignedIn } from "#community/friends";
import { Refusal } from "#platform/refusal";
import { z } from "zod";
import { momentField } from "../define-service.ts";
import {
  applyOnce,
  invalidTransition,
  parseInput,
  type RecordCommands,
  type RecordInput,
} from "./record-commands.ts";

/** Times of a record are moments, those of a form are in the time zone of the event. */
const RecordTimes = z.object({
  startsAt: z.union([momentField, z.date()]),
  endsAt: z.union([momentField, z.date()]),
  answersUntil: z
    .union([momentField, z.date()])
    .nullish()
    .transform((at) => at ?? null),
  allDay: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false),
  timeZone: NewEvent.shape.timeZone,
});

/** Input of the command with the times of the record, or with `starts` and `ends` as the form has them. */
const toEventInput = ({ startsAt, endsAt, answersUntil, ...given }: RecordInput): RecordInput =>
  given["starts"] === undefined && given["ends"] === undefined
    ? { ...given, ...toFormTimes(parseInput(RecordTimes, { ...given, startsAt, endsAt, answersUntil })) }
    : { ...given, answersUntil };

const EDITABLE_COLUMNS = [
  "title",
  "startsAt",
  "endsAt",
  "allDay",
  "timeZone",
  "place",
  "onlineUrl",
  "capacity",
  "companions",
  "answersUntil",
] as const;

export const Events: RecordCommands = {
  create: async ({ tx, viewer }, { text, ...given }) =>
    (await createEvent(tx, viewer, parseInput(NewEvent, { ...toEventInput(given), body: text ?? "" }))).id,
  update: {
    // Includes the count of changes on which the edit is based.
    ...applyOnce([...EDITABLE_COLUMNS, "changes"], ({ tx, viewer }, now, input) => {
      const { place, onlineUrl, ...columns } = { ...now, ...input };
      const change = {
        ...toEventInput(columns),
        place: place ?? "",
        // A client that sends the whole record back must not delete an address that it could not read.
        ...(input["onlineUrl"] !== undefined && onlineUrl !== now["onlineUrl"] && { onlineUrl }),
        eventId: now.objectId,
        scope: "this",
        repeats: "never",
      };
      return editEvent(tx, viewer, parseInput(EventChange, change));
    }),
    ...applyOnce(["state", "reason"], ({ tx, viewer }, { objectId: eventId, state }, input) => {
      const given = () => parseInput(EventCancellation, { eventId, reason: input["reason"] ?? "" });
      if (input["state"] === "cancelled") return cancelEvent(tx, viewer, given());
      if (input["state"] === "postponed") return postponeEvent(tx, viewer, given());
      throw invalidTransition(state, input["state"]);
    }),
  },
  remove: "Events are not deleted. Call Events/cancel with a reason.",
};

/** People on the waiting list want to go. */
const toWantedAnswer = (answer: unknown) => (answer === "waiting" ? "going" : answer);

export const Attendances: RecordCommands = {
  async create({ tx, viewer }, given) {
    const me = requireSignedIn(viewer);
    if (given["personId"] !== undefined && given["personId"] !== null && given["personId"] !== me.id)
      throw othersAnswerRefusal();
    const occurrenceId =
      given["occurrenceId"] ?? (await getEvent(tx, me, String(given["eventId"] ?? ""))).occurrenceId;
    const input = parseInput(EventAnswer, { ...given, occurrenceId });
    await answerEvent(tx, me, input);
    return `${input.occurrenceId}:${me.id}`;
  },
  update: {
    ...applyOnce(["answer", "companions", "note"], ({ tx, viewer }, now, given) => {
      if (now["mine"] !== true) throw othersAnswerRefusal();
      const { occurrenceId, answer, companions, note } = { ...now, ...given };
      const input = { occurrenceId, answer: toWantedAnswer(answer), companions, note: note ?? "" };
      return answerEvent(tx, viewer, parseInput(EventAnswer, input));
    }),
    checkedInAt: ({ tx, viewer }, { occurrenceId, personId }, { checkedInAt }) =>
      checkInAttendee(
        tx,
        viewer,
        parseInput(CheckIn, { occurrenceId, personId, isPresent: checkedInAt !== null }),
      ),
  },
  remove: "Answers are not deleted. Decline the event instead.",
};

const othersAnswerRefusal = () => new Refusal("not-allowed", "People answer for themselves.");
