export { createDeviceRegistry } from "./devices.ts";
export type { Devices, PushProviders } from "./devices.ts";
export { countDevices, getPushOutcome } from "./push-outcome.ts";
export type { DeviceCounts, PushOutcome } from "./push-outcome.ts";
export { PUSH_TASK, requeueDuePushes, queueDevicePush } from "./push-queue.ts";
export { NewRegistration } from "./registration-schema.ts";
export { purgeDevices, registerDevice, listRegistrations, unregisterDevice } from "./device-registrations.ts";
export type { DeviceCaller, DeviceRegistration } from "./device-registrations.ts";
export { deliverPush } from "./push-delivery.ts";
export {
  deletePushTemplate,
  listPushTemplates,
  pushTemplate,
  savePushTemplate,
  TEMPLATE_KINDS,
  getPushTemplates,
  TemplateValues,
} from "./push-templates.ts";
export type { NewTemplate, PushTemplate } from "./push-templates.ts";
