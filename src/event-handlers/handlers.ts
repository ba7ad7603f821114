import {
  endNotificationsForEvent,
  ENDING_EVENTS,
  notifyOfEvent,
  NOTIFYING_EVENTS,
} from "#community/notifications";
import { releasePlaces, RELEASING_EVENTS } from "#community/calendar";
import { AUTOMATION_EVENT_TYPES } from "#community/api-entities";
import { TRIGGER_EVENTS } from "#baas/automations";
import type { Database } from "#platform/database";
import type { DomainEvent, PendingEvent } from "#platform/outbox";

/** Dependencies of the event handlers, supplied by `src/app/app.ts`. */
export type HandlerContext = {
  database: Database;
  /** Settings are cached per process and must be reloaded. */
  settingsChanged: () => void;
  /** Pushes to open pages, unless the committing process already did. */
  pushToSockets: (domainEvent: DomainEvent, id: string) => void;
  /** Queues the affected content for indexing. */
  indexEvents: (domainEvents: readonly DomainEvent[]) => Promise<void>;
  /** Starts automations that this event triggers. */
  startAutomations: (domainEvent: DomainEvent, id: string) => Promise<void>;
  /** Withdraws a person's scheduled content. */
  withdrawContent: (personId: string) => Promise<unknown>;
  /** Mails a person the decision about their account; once per id. */
  mailStatusNotice: (told: {
    id: string;
    personId: string;
    state: string;
    lifted: boolean;
    at: Date;
  }) => Promise<void>;
  mailAppealNotice: (told: { id: string; personId: string; reportId: string }) => Promise<void>;
};
export type EventHandler = (
  app: HandlerContext,
  domainEvent: DomainEvent,
  pending: PendingEvent,
) => Promise<void>;
/** Handles many events at the cost of one: runs once per batch. */
export type BatchEventHandler = (app: HandlerContext, domainEvents: readonly DomainEvent[]) => Promise<void>;
export type EventHandlers = {
  each: Record<string, Record<string, EventHandler>>;
  batch: Record<string, BatchEventHandler>;
};

/** Fallback for the push right after the commit: for processes without sockets, or that ended too soon. */
const pushToSockets: EventHandler = async (app, domainEvent, { id }) => app.pushToSockets(domainEvent, id);
const reloadSettings: EventHandler = async (app) => app.settingsChanged();
/** Inserts notifications, and withdraws obsolete ones. */
const notifyPeople: EventHandler = ({ database }, _domainEvent, pending) => notifyOfEvent(database, pending);
const withdrawNotifications: EventHandler = ({ database }, domainEvent) =>
  endNotificationsForEvent(database, domainEvent);

/** Places in events of people who may no longer come. */
const giveUpPlaces: EventHandler = ({ database }, domainEvent) => releasePlaces(database, domainEvent);

/** Starts or continues the automations that listen to the event. */
const startAutomations: EventHandler = (app, domainEvent, { id }) => app.startAutomations(domainEvent, id);

/** Content scheduled by a suspended or departed person is not published. */
const withdrawContent: EventHandler = async (app, { state, personId }) => {
  if (state === undefined || state === "suspended") await app.withdrawContent(String(personId));
};

/** An email of its own: a suspended person can read nothing else, and a limited one must learn why. */
const mailStatusChange: EventHandler = async (app, { personId, state, lifted }, { id, at }) =>
  app.mailStatusNotice({ id, at, personId: String(personId), state: String(state), lifted: lifted === true });
const mailAppealDecision: EventHandler = async (app, { personId, reportId }, { id }) =>
  app.mailAppealNotice({ id, personId: String(personId), reportId: String(reportId) });

/** The search index follows the content with a short delay. */
const indexForSearch: BatchEventHandler = (app, domainEvents) => app.indexEvents(domainEvents);

/**
 * Every consequence of a domain event, on one screen. Handlers are idempotent: one that failed, or whose
 * process died before recording it, runs again. Handlers under `*` run for every event; batch handlers run
 * after all of these.
 */
const handlersByType: Record<string, Record<string, EventHandler>> = {
  "*": { pushToSockets },
  "settings.changed": { reloadSettings },
  // An import can change site settings, and so can undoing it.
  "transfer.finished": { reloadSettings },
  "transfer.undone": { reloadSettings },
  "person.status-changed": { withdrawContent, mailStatusChange },
  "person.appeal-declined": { mailAppealDecision },
  "person.left": { withdrawContent },
};
for (const type of NOTIFYING_EVENTS) handlersByType[type] = { ...handlersByType[type], notifyPeople };
for (const type of ENDING_EVENTS) handlersByType[type] = { ...handlersByType[type], withdrawNotifications };
for (const type of RELEASING_EVENTS) handlersByType[type] = { ...handlersByType[type], giveUpPlaces };
for (const type of [...TRIGGER_EVENTS, ...AUTOMATION_EVENT_TYPES])
  handlersByType[type] = { ...handlersByType[type], startAutomations };
export const eventHandlers: EventHandlers = { each: handlersByType, batch: { indexForSearch } };
