export { listActivity } from "./person-activity.ts";
export type { Activity } from "./person-activity.ts";
