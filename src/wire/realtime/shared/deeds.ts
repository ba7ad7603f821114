/** Who did it: a connection, and the person behind it; null for a guest. */
export type By = { connectionId: string; userId: string | null };
export type Status = "CONNECTED" | "DISCONNECTED" | "USERUPDATE";

/**
 * What is done with a shared object, as processes tell it each other. Besides that, one may ask who else is there (`who`), for the
 * subscription `id` of somebody, and is told by each (`here`).
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
