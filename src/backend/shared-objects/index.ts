export { clearSharedObject, openSharedObjects, purgeSharedObjects, readSharedObject, readChangesSince, setSharedValue } from "./objects.ts";
export type { SharedObjects } from "./objects.ts";
export { assertShareable } from "./values.ts";
