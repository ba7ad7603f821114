export { listActivity } from "./activity.ts";
export type { Activity } from "./activity.ts";
