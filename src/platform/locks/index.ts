export { Locks } from "./locks.ts";
export type { Wish } from "./locks.ts";
