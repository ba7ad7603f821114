import {
  type DeviceCaller,
  NewRegistration,
  registerDevice,
  listRegistrations,
  unregisterDevice,
} from "#baas/devices";
import { Refusal } from "#platform/refusal";
import { countDeviceCall } from "../call-limits.ts";
import { parseInput } from "../parse-input.ts";
import type { Call, Route } from "../rest-route.ts";

const deviceCaller = ({ caller: { key, viewer, session } }: Call): DeviceCaller => ({
  personId: viewer.id,
  // With the server key, unless a person is signed in.
  trusted: key === "server" && session === null,
});

/** Channels in the URL, comma-separated or repeated: none means all. */
function readChannels({ query }: Call): string[] {
  const names = [query["channels"] ?? []].flat().flatMap((name) => name.split(",").map((it) => it.trim()));
  if (names.length > 100) throw new Refusal("invalid", "channels: at most 100", { kind: "bad-body" });
  return names.filter((name) => name !== "");
}

const DEVICE_PATH = "/messaging/registrations/:deviceId";

/** Devices registered for push notifications. */
export const deviceRoutes: Route[] = [
  {
    method: "POST",
    path: "/messaging/registrations",
    async handle(call) {
      await countDeviceCall(call.app, call.caller, call.request);
      return registerDevice(call.app.devices, deviceCaller(call), parseInput(NewRegistration, call.body));
    },
  },
  {
    method: "GET",
    path: DEVICE_PATH,
    async handle(call) {
      await countDeviceCall(call.app, call.caller, call.request);
      return listRegistrations(call.app.devices, deviceCaller(call), call.params["deviceId"]!);
    },
  },
  {
    method: "DELETE",
    path: DEVICE_PATH,
    async handle(call) {
      await countDeviceCall(call.app, call.caller, call.request);
      return unregisterDevice(call.app.devices, call.params["deviceId"]!, readChannels(call));
    },
  },
];
