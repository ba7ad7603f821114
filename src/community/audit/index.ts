export { writeAudit } from "./audit-log.ts";
export { purgeAuditEvents } from "./audit-retention.ts";
export type { AuditEntry } from "./audit-log.ts";
