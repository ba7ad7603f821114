export { openRelay, type Relay } from "./relay.ts";
export { reactions, type RelayHouse } from "./reactions.ts";
export { thingsOf } from "./things.ts";
