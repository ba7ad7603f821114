export { Bus } from "./bus.ts";
export type { Things } from "./bus.ts";
