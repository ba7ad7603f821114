export { clearShared, openSharedObjects, purgeSharedObjects, readShared, readSharedSince, setShared } from "./objects.ts";
export type { SharedObjects } from "./objects.ts";
export { assertShareable } from "./values.ts";
