import {
  endNotificationsForEvent,
  NOTIFICATION_ENDING_EVENTS,
  notifyOfEvent,
  NOTIFYING_EVENTS,
} from "#community/notifications";
import {
  HOST_RELEASING_EVENTS,
  PLACE_RELEASING_EVENTS,
  releaseHosts,
  releasePlaces,
} from "#community/calendar";
import { AUTOMATION_EVENT_TYPES } from "#community/api-entities";
import { WEBHOOK_EVENT_TYPES } from "#community/webhooks";
import { TRIGGER_EVENTS } from "#baas/automations";
import type { Database } from "#platform/database";
import type { DomainEvent, PendingEvent } from "#platform/outbox";

/** Dependencies of the event handlers, supplied by `src/app/app.ts`. */
export type HandlerContext = {
  database: Database;
  /** Drops this process's cached settings, so that they are read again. */
  settingsChanged: () => void;
  /** Pushes an event to open pages, unless the committing process has already done so. */
  pushToSockets: (domainEvent: DomainEvent, id: string) => void;
  /** Queues the affected content for indexing. */
  indexEvents: (domainEvents: readonly DomainEvent[]) => Promise<void>;
  /** Starts automations that this event triggers. */
  startAutomations: (domainEvent: DomainEvent, id: string) => Promise<void>;
  /** Queues the event for the webhooks that it concerns. */
  queueWebhooks: (pending: PendingEvent) => Promise<unknown>;
  /** Withdraws a person's scheduled content. */
  withdrawContent: (personId: string) => Promise<unknown>;
  /** Mails a decision about an account to its owner, at most once per `id`. */
  mailStatusNotice: (notice: {
    id: string;
    personId: string;
    state: string;
    lifted: boolean;
    at: Date;
  }) => Promise<void>;
  mailAppealNotice: (notice: { id: string; personId: string; reportId: string }) => Promise<void>;
  /** Mails the decision on a report to the guest who made it, at most once per `id`. */
  mailGuestDecision: (decision: { id: string; reportId: string }) => Promise<void>;
};
export type EventHandler = (
  app: HandlerContext,
  domainEvent: DomainEvent,
  pending: PendingEvent,
) => Promise<void>;
/** Handles many events at once: runs once per batch. */
export type BatchEventHandler = (app: HandlerContext, domainEvents: readonly DomainEvent[]) => Promise<void>;
export type EventHandlers = {
  each: Record<string, Record<string, EventHandler>>;
  batch: Record<string, BatchEventHandler>;
};

/**
 * Fallback for the push right after the commit, when the committing process has no sockets or ended too
 * early.
 */
const pushToSockets: EventHandler = async (app, domainEvent, { id }) => app.pushToSockets(domainEvent, id);
const reloadSettings: EventHandler = async (app) => app.settingsChanged();
/** Inserts notifications and withdraws obsolete ones. */
const notifyPeople: EventHandler = ({ database }, _domainEvent, pending) => notifyOfEvent(database, pending);
const withdrawNotifications: EventHandler = ({ database }, domainEvent) =>
  endNotificationsForEvent(database, domainEvent);

/** Releases the places that people hold in calendar events which they may no longer attend. */
const giveUpPlaces: EventHandler = ({ database }, domainEvent) => releasePlaces(database, domainEvent);

/** Removes a person who left from the hosts of coming events. */
const giveUpHosting: EventHandler = ({ database }, domainEvent) => releaseHosts(database, domainEvent);

/** Starts or continues automations that wait for the event. */
const startAutomations: EventHandler = (app, domainEvent, { id }) => app.startAutomations(domainEvent, id);

const queueWebhooks: EventHandler = async (app, _domainEvent, pending) =>
  void (await app.queueWebhooks(pending));

/** Withdraws scheduled content of a suspended or departed person, so that it is not published. */
const withdrawContent: EventHandler = async (app, { state, personId }) => {
  if (state === undefined || state === "suspended") await app.withdrawContent(String(personId));
};

/**
 * Sends an email as well: a suspended person cannot read anything on the site, and a restricted one must
 * learn the reason.
 */
const mailStatusChange: EventHandler = async (app, { personId, state, lifted }, { id, at }) =>
  app.mailStatusNotice({ id, at, personId: String(personId), state: String(state), lifted: lifted === true });
const mailAppealDecision: EventHandler = async (app, { personId, reportId }, { id }) =>
  app.mailAppealNotice({ id, personId: String(personId), reportId: String(reportId) });
/** Members are notified of decisions on their reports; guests get a mail. */
const mailGuest: EventHandler = async (app, { reportId, personId }, { id }) => {
  if (personId === null) await app.mailGuestDecision({ id, reportId: String(reportId) });
};

/** Updates the search index, a short time after the content changed. */
const indexForSearch: BatchEventHandler = (app, domainEvents) => app.indexEvents(domainEvents);

/**
 * All handlers by type of domain event. Handlers must be idempotent: one that failed, or whose process died
 * before the result was recorded, runs again. Handlers under `*` run for every event; batch handlers run
 * after all others.
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
  "report.resolved": { mailGuest },
};
for (const type of NOTIFYING_EVENTS) handlersByType[type] = { ...handlersByType[type], notifyPeople };
for (const type of NOTIFICATION_ENDING_EVENTS)
  handlersByType[type] = { ...handlersByType[type], withdrawNotifications };
for (const type of PLACE_RELEASING_EVENTS) handlersByType[type] = { ...handlersByType[type], giveUpPlaces };
for (const type of HOST_RELEASING_EVENTS) handlersByType[type] = { ...handlersByType[type], giveUpHosting };
for (const type of [...TRIGGER_EVENTS, ...AUTOMATION_EVENT_TYPES])
  handlersByType[type] = { ...handlersByType[type], startAutomations };
for (const type of WEBHOOK_EVENT_TYPES) handlersByType[type] = { ...handlersByType[type], queueWebhooks };
export const eventHandlers: EventHandlers = { each: handlersByType, batch: { indexForSearch } };
