import { describe, expect, test } from "vitest";
import { parsePath } from "#baas/files";
import { testApi } from "../../../../test/support/rest/files-api.ts";
import { APP, CLIENT, SERVER } from "../../../../test/support/rest/rest-server.ts";
import type { Call } from "../rest-route.ts";
import { fileUrl } from "./file-requests.ts";

describe("file URL", () => {
  test.each([
    ["localhost", "localhost"],
    ["127.0.0.1", "127.0.0.1"],
    ["evil.example.org", "127.0.0.1"],
  ])("has the host that the caller used for a local server: %s gives %s", async (named, expected) => {
    const { port } = new URL(testApi.origin());
    const { body } = await testApi.server.inject({
      method: "PUT",
      url: `/${APP}/${SERVER}/files/binary/hosts/a.txt?overwrite=true`,
      headers: { host: `${named}:${port}`, "content-type": "text/plain" },
      payload: "b25l",
    });
    expect(body).toBe(`"http://${expected}:${port}/${APP}/${CLIENT}/files/hosts/a.txt"`);
  });

  test("has the public host for callers from the same machine", async () => {
    const app = { ...testApi.app, origin: () => "https://kith.example.org" };
    const request = { url: "/api/files/a.txt", host: "127.0.0.1" };
    const call = { app, request } as Call;
    expect(fileUrl(call, parsePath("a.txt"))).toBe("https://kith.example.org/api/files/a.txt");
  });
});
