export { overviewFor } from "./overview.ts";
export type { Overview } from "./overview.ts";
