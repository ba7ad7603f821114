export { Locks } from "./locks.ts";
export type { LockRequest } from "./locks.ts";
