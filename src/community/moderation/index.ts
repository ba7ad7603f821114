export { groupLog } from "./log.ts";
export type { LoggedAct } from "./log.ts";
