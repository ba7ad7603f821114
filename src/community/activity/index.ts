export { activityOf } from "./activity.ts";
export type { Deed } from "./activity.ts";
