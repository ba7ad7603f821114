export { Bus, tellAll } from "./bus.ts";
export type { Things } from "./bus.ts";
