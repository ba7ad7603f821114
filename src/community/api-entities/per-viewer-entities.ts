import type { DomainEvent } from "#platform/outbox";
import type { Viewer } from "#community/rules";

export type Event = "created" | "updated" | "deleted";
/**
 * A changed record that each subscriber loads with their own permissions. `only`: the people it concerns;
 * null for all. `except`: people whom it does not concern. `ids`: known fields of a deleted record, for conditions. `couldRead`: whether a viewer could
 * read a deleted record.
 */
export type PerViewerChange = {
  table: PerViewerEntity;
  event: Event;
  objectId: string;
  only: string[] | null;
  except?: string[];
  ids?: Record<string, string | null>;
  couldRead?: (viewer: Viewer) => Promise<boolean>;
};

/** Entities whose changes are delivered per viewer, as `PerViewerChange`. */
export const PER_VIEWER_ENTITIES = [
  "Users",
  "Resources",
  "Collections",
  "Events",
  "Attendances",
  "Friendships",
  "Blocks",
  "Bookmarks",
  "Conversations",
  "Participants",
  "Notifications",
] as const;
export type PerViewerEntity = (typeof PER_VIEWER_ENTITIES)[number];

export const toText = (value: DomainEvent[string] | undefined): string => String(value ?? "");
