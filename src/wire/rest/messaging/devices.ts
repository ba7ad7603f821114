import { type Asking, NewRegistration, register, registrationsOf, unregister } from "#backend/devices";
import { Refusal } from "#platform/refusal";
import { countDevices } from "../counting.ts";
import { parsed } from "../parse.ts";
import type { Call, Route } from "../route.ts";

const askingIn = ({ caller: { key, viewer, session } }: Call): Asking => ({
  personId: viewer.id,
  // With the server key, unless a person is signed in.
  trusted: key === "server" && session === null,
});

/** Channels in the URL, comma-separated or repeated: none means all. */
function channelsIn({ query }: Call): string[] {
  const names = [query["channels"] ?? []].flat().flatMap((name) => name.split(",").map((it) => it.trim()));
  if (names.length > 100) throw new Refusal("invalid", "channels: are 100 at the most", { kind: "bad-body" });
  return names.filter((name) => name !== "");
}

const DEVICE = "/messaging/registrations/:deviceId";

/** Devices registered for push notifications. */
export const deviceRoutes: Route[] = [
  {
    method: "POST",
    path: "/messaging/registrations",
    async handle(call) {
      await countDevices(call.house, call.caller, call.request);
      return register(call.house.devices, askingIn(call), parsed(NewRegistration, call.body));
    },
  },
  {
    method: "GET",
    path: DEVICE,
    async handle(call) {
      await countDevices(call.house, call.caller, call.request);
      return registrationsOf(call.house.devices, askingIn(call), call.params["deviceId"]!);
    },
  },
  {
    method: "DELETE",
    path: DEVICE,
    async handle(call) {
      await countDevices(call.house, call.caller, call.request);
      return unregister(call.house.devices, call.params["deviceId"]!, channelsIn(call));
    },
  },
];
