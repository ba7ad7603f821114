export { badgesFor, waitingFor } from "./badges.ts";
export type { Badges, Waiting } from "./badges.ts";
export { shellFor } from "./shell.ts";
export type { Shell } from "./shell.ts";
export { endWhatIsOver, ENDING, tellOf, tellTheRest, TOLD } from "./tell.ts";
