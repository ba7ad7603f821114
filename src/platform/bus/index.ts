export { createBus, publishToAll } from "./bus.ts";
export type { ChangedTags } from "./message-batcher.ts";
