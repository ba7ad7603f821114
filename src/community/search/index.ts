export { search } from "./search.ts";
export type { Found } from "./search.ts";
