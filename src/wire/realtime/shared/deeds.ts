/** Author of an event: a connection and its person; null for a guest. */
export type By = { connectionId: string; userId: string | null };
export type Status = "CONNECTED" | "DISCONNECTED" | "USERUPDATE";

/**
 * Event on a shared object, as sent between processes. `who` requests the clients present, for subscription
 * `id`; each process answers with `here`.
 */
export type Deed = { name: string } & (
  | { what: "set"; key: string; data: unknown; version: number; by: By }
  | { what: "clear"; version: number; by: By }
  | { what: "command"; type: string; data: unknown; by: By }
  | { what: "invoke"; method: string; args: unknown[]; targets: (string | null)[] | null; by: By }
  | { what: "status"; status: Status; by: By }
  | { what: "who"; asker: string; id: string }
  | { what: "here"; asker: string; id: string; people: By[] }
);
export type Done<What extends Deed["what"]> = Extract<Deed, { what: What }>;
