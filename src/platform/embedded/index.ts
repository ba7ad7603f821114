export { startEmbedded } from "./embedded.ts";
export type { Embedded, EmbeddedOptions } from "./embedded.ts";
export { embeddedBinaries } from "./binaries.ts";
export { EmbeddedFailure } from "./failure.ts";
export type { FailureCode } from "./failure.ts";
export { inspectData, inspectPrograms, serverInUse } from "./inspect.ts";
export type { DataReport } from "./inspect.ts";
