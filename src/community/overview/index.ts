export { getOverview } from "./overview.ts";
export type { Overview } from "./overview.ts";
