/** Author of an event: a connection and its person; null for a guest. */
export type Author = { connectionId: string; userId: string | null };
export type ObjectPresenceStatus = "CONNECTED" | "DISCONNECTED" | "USERUPDATE";

/**
 * Event on a shared object, as sent between processes. `who` requests the clients present, for the
 * subscription `id` of the asking client; each process answers with `here`.
 */
export type SharedObjectEvent = { name: string } & (
  | { what: "set"; key: string; data: unknown; version: number; by: Author }
  | { what: "clear"; version: number; by: Author }
  | { what: "command"; type: string; data: unknown; by: Author }
  | { what: "invoke"; method: string; args: unknown[]; targets: (string | null)[] | null; by: Author }
  | { what: "status"; status: ObjectPresenceStatus; by: Author }
  | { what: "who"; asker: string; id: string }
  | { what: "here"; asker: string; id: string; people: Author[] }
);
export type SharedObjectEventOf<What extends SharedObjectEvent["what"]> = Extract<
  SharedObjectEvent,
  { what: What }
>;
