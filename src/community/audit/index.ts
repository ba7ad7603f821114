export { audit } from "./audit.ts";
export { forgetActs } from "./forgetting.ts";
export type { Act } from "./audit.ts";
