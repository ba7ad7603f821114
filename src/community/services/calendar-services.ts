import {
  answerDatePoll,
  answerEvent,
  cancelEvent,
  CheckIn,
  checkInAttendee,
  ChosenTime,
  closeDatePoll,
  createDatePoll,
  createEvent,
  createEventFromPoll,
  DatePollAnswer,
  DatePollRef,
  deleteDatePoll,
  editEvent,
  EventAnswer,
  EventCancellation,
  EventChange,
  getDatePoll,
  listOpenDatePolls,
  NewDatePoll,
  NewEvent,
  postponeEvent,
  reopenDatePoll,
  StopHosting,
  stopHosting,
} from "#community/calendar";
import { requirePublished } from "#community/discussions";
import { getGroup } from "#community/groups";
import { defineSimpleService, GroupRef } from "./define-service.ts";

export const calendarServices = [
  defineSimpleService(
    "Events/create",
    "Creates an event in a group. Repeated calls with the same `clientId` create one event.",
    NewEvent,
    createEvent,
  ),
  defineSimpleService("Events/edit", "Changes an event, based on its `changes`.", EventChange, editEvent),
  defineSimpleService(
    "Events/postpone",
    "Postpones an event to a later date.",
    EventCancellation,
    postponeEvent,
  ),
  defineSimpleService("Events/cancel", "Cancels an event.", EventCancellation, cancelEvent),
  defineSimpleService(
    "Events/answer",
    "Answers an event; people who want to go to a full one wait for a place.",
    EventAnswer,
    answerEvent,
  ),
  defineSimpleService(
    "Events/checkIn",
    "Stores whether a person has come; for the hosts and the group's moderators.",
    CheckIn,
    checkInAttendee,
  ),
  defineSimpleService(
    "Events/stopHosting",
    "Ends your hosting of an event. Its only host cannot leave.",
    StopHosting,
    stopHosting,
  ),
  defineSimpleService(
    "DatePolls/list",
    "Returns the open date polls of a group.",
    GroupRef,
    async (tx, viewer, { groupId }) => {
      const group = await getGroup(tx, viewer, groupId);
      return listOpenDatePolls(tx, viewer, { now: tx.now, group: group.id });
    },
  ),
  defineSimpleService(
    "DatePolls/get",
    "Returns a date poll with its times, the numbers of their answers, and your own.",
    DatePollRef,
    (tx, viewer, { datePollId }) => getDatePoll(tx, viewer, datePollId),
  ),
  defineSimpleService(
    "DatePolls/create",
    "Creates a date poll in a group. Repeated calls with the same `clientId` create one poll.",
    NewDatePoll,
    createDatePoll,
  ),
  defineSimpleService(
    "DatePolls/answer",
    "Answers the times of a date poll in their order: `answer1` is for the first one.",
    DatePollAnswer,
    answerDatePoll,
  ),
  defineSimpleService("DatePolls/close", "Closes a date poll.", DatePollRef, closeDatePoll),
  defineSimpleService("DatePolls/reopen", "Reopens a closed date poll.", DatePollRef, reopenDatePoll),
  defineSimpleService(
    "DatePolls/delete",
    "Deletes a date poll with its answers.",
    DatePollRef,
    deleteDatePoll,
  ),
  defineSimpleService(
    "DatePolls/createEvent",
    "Creates an event from one time of a date poll; people who answered yes are going.",
    ChosenTime,
    async (tx, viewer, input) => requirePublished(await createEventFromPoll(tx, viewer, input)),
  ),
];
