export { BeyondScanner, openScanner, ScannerAway } from "./clamd.ts";
export type { Scanned, Scanner } from "./clamd.ts";
