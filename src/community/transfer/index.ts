export { isEmpty, seedDemo } from "./seed.ts";
export type { SeedOptions } from "./seed.ts";
