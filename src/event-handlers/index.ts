export { createDispatcher, type Dispatcher } from "./dispatcher.ts";
export { eventHandlers, type HandlerContext } from "./handlers.ts";
export { cacheTagsFor } from "./cache-tags.ts";
