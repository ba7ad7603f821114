export { openBus, publishToAll } from "./bus.ts";
export type { ChangedTags } from "./gathering.ts";
