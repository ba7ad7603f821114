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
  NewEvent,
  postponeEvent,
  StopHosting,
  stopHosting,
} from "#community/calendar";
import { defineSimpleService } from "./define-service.ts";

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
];
