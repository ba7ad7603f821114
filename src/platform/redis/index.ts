export { globOf } from "./glob.ts";
export { Redis, saidBy, type Script, script } from "./redis.ts";
