export { activateAutomation, activateTrigger } from "./activation.ts";
export type { RunStarter } from "./activation.ts";
export { checkDefinition } from "./definition-check.ts";
export type { Definition, Step } from "./automation-definition.ts";
export { TABLE_EVENTS } from "./trigger-schemas.ts";
export type { Trigger } from "./trigger-schemas.ts";
export type { EntityTriggers, EntityChange, TriggerRecord } from "./entity-triggers.ts";
export { findItem, moveItem, insertItem, countItems, removeItem } from "./edit-definition.ts";
export { createAutomationContext } from "./automations.ts";
export type {
  RunIdentity,
  Automations,
  AutomationFunctions,
  AutomationMail,
  RecordAction,
} from "./automations.ts";
export { TRIGGER_EVENTS, triggerAutomations, listenToMessages } from "./trigger-sources.ts";
export {
  changeAutomation,
  getAutomation,
  listAutomations,
  createAutomation,
  deleteAutomation,
  listTriggers,
} from "./manage-automations.ts";
export type { Automation, AutomationRow } from "./manage-automations.ts";
export {
  listRuns,
  purgeAutomations,
  getRun,
  getRunAsStarter,
  stopRun,
  listRunSteps,
} from "./runs/automation-runs.ts";
export type { RunDetails, RunRow, RunState, StepRow } from "./runs/automation-runs.ts";
export { AutomationWorker, AUTOMATION_WORKER_COUNT } from "./automation-worker.ts";
