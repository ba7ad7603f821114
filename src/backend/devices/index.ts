export { openDevices } from "./devices.ts";
export type { Devices, PushProviders } from "./devices.ts";
export { countDevices, getPushOutcome } from "./outcome.ts";
export type { DeviceCounts, PushOutcome } from "./outcome.ts";
export { PUSH_TASK, requeueDuePushes, queueDevicePush } from "./pushes.ts";
export { NewRegistration } from "./new-registration.ts";
export { purgeDevices, registerDevice, listRegistrations, unregisterDevice } from "./registrations.ts";
export type { DeviceCaller, DeviceRegistration } from "./registrations.ts";
export { deliverPush } from "./telling.ts";
export {
  deletePushTemplate,
  listPushTemplates,
  pushTemplate,
  savePushTemplate,
  TEMPLATE_KINDS,
  getPushTemplates,
  TemplateValues,
} from "./templates.ts";
export type { NewTemplate, PushTemplate } from "./templates.ts";
