export {
  clearSharedObject,
  createSharedObjectStore,
  purgeSharedObjects,
  readSharedObject,
  readChangesSince,
  setSharedValue,
} from "./shared-objects.ts";
export type { SharedObjects } from "./shared-objects.ts";
export { assertShareable } from "./shared-values.ts";
