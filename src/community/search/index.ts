export { search } from "./search.ts";
export type { Found } from "./search.ts";
export { similarDiscussions } from "./similar.ts";
export type { Similar } from "./similar.ts";
