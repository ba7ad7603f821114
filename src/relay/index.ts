export { openDispatcher, type Dispatcher } from "./relay.ts";
export { eventHandlers, type HandlerContext } from "./reactions.ts";
export { cacheTagsFor } from "./things.ts";
