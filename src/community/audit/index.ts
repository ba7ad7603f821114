export { writeAudit } from "./audit.ts";
export { purgeAuditEvents } from "./forgetting.ts";
export type { AuditEntry } from "./audit.ts";
