export { TooLargeToScan, createScanner, ScannerUnavailable } from "./clamd.ts";
export type { ScanResult, Scanner } from "./clamd.ts";
