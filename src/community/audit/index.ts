export { audit } from "./audit.ts";
export type { Act } from "./audit.ts";
