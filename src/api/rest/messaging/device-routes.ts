import {
  type DeviceCaller,
  NewRegistration,
  registerDevice,
  listRegistrations,
  unregisterDevice,
} from "#baas/devices";
import { z } from "zod";
import { countDeviceCall } from "../call-limits.ts";
import { defineEndpoint } from "../endpoint.ts";
import type { Call } from "../rest-route.ts";

const deviceCaller = ({ caller: { key, viewer, session } }: Pick<Call, "caller">): DeviceCaller => ({
  personId: viewer.id,
  // A caller with the server key is trusted, unless a person is signed in.
  trusted: key === "server" && session === null,
});

/** Channels, comma-separated or as a repeated parameter; without any, all channels. */
const ChannelParams = z.object({
  channels: z
    .union([z.string(), z.array(z.string())])
    .default("")
    .transform((input) =>
      [input].flat().flatMap((names) =>
        names
          .split(",")
          .map((it) => it.trim())
          .filter((it) => it !== ""),
      ),
    )
    .refine((names) => names.length <= 100, "at most 100"),
});

const Device = z
  .object({
    id: z.string(),
    deviceToken: z.string(),
    deviceId: z.string(),
    os: z.string(),
    osVersion: z.string(),
    channels: z.array(z.string()),
    expiration: z.number().nullable(),
  })
  .meta({ id: "Device" });

const DEVICE_PATH = "/messaging/registrations/:deviceId";
const params = { deviceId: "phone-1" };
const prepare = (call: Call) => countDeviceCall(call.app, call.caller, call.request);

/** Endpoints for devices registered for push notifications. */
export const deviceEndpoints = [
  defineEndpoint({
    method: "POST",
    path: "/messaging/registrations",
    summary:
      "Registers a device for push notifications and replaces its earlier registration; without " +
      "channels it is on `default`.",
    prepare,
    body: NewRegistration,
    response: z.object({ registrationId: z.string() }),
    example: {
      body: {
        deviceToken: "token-of-the-device",
        deviceId: "phone-1",
        os: "ANDROID",
        osVersion: "16",
        channels: ["garden"],
      },
    },
    handle: (call) => registerDevice(call.app.devices, deviceCaller(call), call.body),
  }),
  defineEndpoint({
    method: "GET",
    path: DEVICE_PATH,
    summary: "Returns the registration of a device: a list of one, or of none.",
    prepare,
    response: z.array(Device),
    example: { params },
    handle: (call) => listRegistrations(call.app.devices, deviceCaller(call), call.params.deviceId),
  }),
  defineEndpoint({
    method: "DELETE",
    path: DEVICE_PATH,
    summary:
      "Ends the registration of a device, or removes it from `channels`, separated by commas; 5001 for an unknown one.",
    prepare,
    query: ChannelParams,
    response: z.object({ result: z.boolean() }),
    example: { params },
    handle: ({ app, params: { deviceId }, query: { channels } }) =>
      unregisterDevice(app.devices, deviceId, channels),
  }),
];
