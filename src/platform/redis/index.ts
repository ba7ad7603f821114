export { parseGlob } from "./glob.ts";
export { Redis, redisErrorMessage, type RedisScript, defineScript } from "./redis.ts";
