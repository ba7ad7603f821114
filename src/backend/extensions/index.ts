export { Extensions, offerServices } from "./extensions.ts";
export type { Mishap } from "./extensions.ts";
export { ExtensionFault } from "./faults.ts";
export type { Caller as ExtensionCaller, Known } from "./protocol.ts";
export { Services } from "./services.ts";
export type { Method } from "./services.ts";
export type { Hands, Within } from "./thread-line.ts";
export { runTimer, takeDueTimers, TIMER_TASK, timerStates } from "./timers.ts";
export type { TimerState } from "./timers.ts";
