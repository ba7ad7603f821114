export { openBus, tellAll } from "./bus.ts";
export type { Things } from "./gathering.ts";
