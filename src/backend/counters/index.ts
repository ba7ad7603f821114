export { type Counters, openCounters, addTo, compareAndSet, listCounters, readCounter, resetCounter } from "./counters.ts";
